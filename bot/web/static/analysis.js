// The analysis view: both sides by hand, with exact scores.

import { $, complain, control } from "./dom.js";
import { adopt, shown } from "./game.js";
import { problemIn, readMoves, writeMoves } from "./rules.js";
import { SteppingView } from "./stepping.js";

/** @import { Page } from "./app.js" */

export class AnalysisView extends SteppingView {
  /** @param {Page} page */
  constructor(page) {
    super(page);
    control("position").addEventListener("change", () => {
      const text = control("position").value, problem = problemIn(text);
      adopt({ main: readMoves(text) });
      complain(problem ? new Error(problem) : null);
      page.refresh();
    });
    $("play-on").addEventListener("click", () => {
      page.playView.playFrom(shown());
    });
  }

  /** @override */
  render() {
    if (document.activeElement !== $("position")) control("position").value = writeMoves(shown());
  }
}
