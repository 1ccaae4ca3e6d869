// The analysis view: both sides by hand, with exact scores.

import { $, all, complain, control } from "./dom.js";
import { drawGraph, reviewPoints } from "./graph.js";
import { position, problemIn, readMoves, writeMoves } from "./rules.js";
import { line, setLine, shown, store } from "./store.js";
import { SteppingView } from "./stepping.js";

/** @import { Page } from "./app.js" */

export class AnalysisView extends SteppingView {
  /** @param {Page} page */
  constructor(page) {
    super(page);
    control("position").addEventListener("change", () => {
      const text = control("position").value, problem = problemIn(text);
      setLine(readMoves(text));
      complain(problem ? new Error(problem) : null);
      page.refresh();
    });
    $("play-on").addEventListener("click", () => {
      setLine(shown(), line().at, "play");
      store.human = String(position(shown()).toMove);
      page.open("play");
    });
  }

  /** @override */
  render() {
    if (document.activeElement !== $("position")) control("position").value = writeMoves(shown());
    this.page.evaluator.listMoves(all("[data-moves=analysis]")[0]);
    const { moves, at } = line(), review = this.page.evaluator.reviewOf(moves);
    drawGraph(all("[data-graph=analysis]")[0], review ? reviewPoints(review) : [],
      { plies: moves.length, at, side: "yellow's", onPick: (ply) => this.go(ply) });
  }
}
