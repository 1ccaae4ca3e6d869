// Both sides by hand, with the analysis always on.

import { $, all, complain } from "./dom.js";
import { drawGraph } from "./graph.js";
import { faultIn, position, readMoves, writeMoves } from "./rules.js";
import { line, setLine, shown, store } from "./store.js";
import { severity } from "./analyser.js";

/** The graph's points of a reviewed game, in the view of the first player times `sign`. */
export function reviewPoints(review, sign = 1) {
  return review.scores.map((score, ply) => {
    const verdict = ply > 0 ? review.moves[ply - 1] : null;
    return { ply, score: score === null ? null : score * sign, isProven: true, mistake: severity(verdict) ? verdict : null };
  });
}

/** What is common to all views in which a game is gone through step by step. */
export class Stepping {
  hasNavigator = true;
  isThinking = false;
  constructor(page) { this.page = page; }
  get canUndo() { return line().at > 0; }
  get canRedo() { return line().at < line().moves.length; }
  enter() { this.page.refresh(); }
  leave() {}
  isOpen(board) { return !board.isOver; }
  undo() { this.go(line().at - 1); }
  redo() { this.go(line().at + 1); }
  go(at) {
    const { moves } = line();
    setLine(moves, Math.max(0, Math.min(at, moves.length)));
    const column = moves[line().at - 1];
    this.page.say(line().at ? `Move ${line().at}: column ${column + 1}.` : "First position.");
    this.page.refresh();
  }
  drop(column) {
    const moves = shown(), next = [...moves, column];
    const isSame = line().moves[moves.length] === column;
    setLine(isSame ? line().moves : next, next.length);
    this.page.say(`${moves.length % 2 ? "Red" : "Yellow"} plays column ${column + 1}.`);
    this.page.refresh();
  }
  reset() { setLine([]); this.page.say("Empty board."); this.page.refresh(); }
  status(board) {
    const name = ["Yellow", "Red"];
    if (board.winner !== null) return `${name[board.winner]} wins with four in a row.`;
    if (board.isDraw) return "A draw: the board is full.";
    return `${name[board.toMove]} to move.`;
  }
  changed() {}
}

export class Analysis extends Stepping {
  constructor(page) {
    super(page);
    $("position").addEventListener("change", () => {
      const text = $("position").value, wrong = faultIn(text);
      setLine(readMoves(text));
      complain(wrong ? new Error(wrong) : null);
      page.refresh();
    });
    $("play-on").addEventListener("click", () => {
      setLine(shown(), line().at, "play");
      store.human = String(position(shown()).toMove);
      page.open("play");
    });
  }

  render() {
    if (document.activeElement !== $("position")) $("position").value = writeMoves(shown());
    this.page.analyser.listMoves(all("[data-moves=analysis]")[0]);
    const { moves, at } = line(), review = this.page.analyser.reviewOf(moves);
    drawGraph(all("[data-graph=analysis]")[0], review ? reviewPoints(review) : [], { plies: moves.length, at, whose: "yellow's", onPick: (ply) => this.go(ply) });
  }
}
