// The play view: a person against an agent.

import { SingleRequest } from "./api.js";
import { Clock } from "./clock.js";
import { $, complain } from "./dom.js";
import {
  backToGame, describeGame, game, isVariation, play, showVariation, shown, startGame, takeOver, walk,
} from "./game.js";
import { levelNumber, opponentName } from "./levels.js";
import { canPlay, position, writeMoves } from "./rules.js";
import { store } from "./store.js";

/** @import { Analysis, Decision } from "./api.js" */
/** @import { Page } from "./app.js" */
/** @import { Board } from "./rules.js" */
/** @import { View } from "./stepping.js" */

/**
 * Return the body of a request to /api/move.
 * @param {Page} page
 * @param {number[]} moves
 * @param {string} agent
 * @param {string} depth
 * @param {string} options
 */
export function moveRequest(page, moves, agent, depth, options) {
  return {
    moves: writeMoves(moves), agent, depth: depth ? Math.round(Number(depth)) : null,
    options: page.agent(agent)?.options.length ? options : "",
    time_s: Number(store.time) || 2, random: store.fixed !== "1",
  };
}

/**
 * Describe the computer's last search.
 * @param {Decision} decision
 */
export function describeSearch({ column, score, proven, depth, nodes, seconds, source }) {
  const outcome = score === null ? "" : !proven ? `score ${score.toLocaleString("en")}`
    : `proven ${score === 0 ? "draw" : score > 0 ? "win" : "loss"}`;
  const parts = [`Column ${column + 1}`, outcome, depth ? `${depth} ${depth === 1 ? "ply" : "plies"} deep` : "",
    nodes ? `${nodes.toLocaleString("en")} ${nodes === 1 ? "node" : "nodes"}` : "",
    `${seconds.toFixed(seconds < 0.1 ? 3 : 2)} s`, source ? `by ${source}` : ""];
  return `${parts.filter(Boolean).join(", ")}.`;
}

/** Search time for a hint, seconds. */
const HINT_S = 3;

/** @implements {View} */
export class PlayView {
  #request = new SingleRequest();
  #hint = new SingleRequest();
  #clock = new Clock(() => this.#timeIsOver());

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    $("computer").addEventListener("click", () => this.letComputerMove());
    $("hint").addEventListener("click", () => this.hint());
  }

  /** The person's side: 0 starts. */
  get human() { return Number(store.human) ? 1 : 0; }
  get isThinking() { return this.#request.isBusy; }
  get canUndo() { return this.#isOwn && this.#lastOwnTurn() >= 0; }
  get canRedo() { return this.#isOwn && !this.isThinking && game().at < game().moves.length; }
  /** Whether the game shown is played here; any other one can be continued. */
  get #isOwn() { return game().origin === "play"; }
  get #isLookingBack() { return game().at < game().main.length; }

  enter() {
    if (!this.#isOwn && !game().moves.length) startGame({ origin: "play", ...this.#players });
    if (this.#isOwn && isVariation()) backToGame(game().main.length);
    if (!this.#clock.isSet) this.#clock.reset();
    this.#continue();
  }

  leave() {
    this.#request.cancel();
    this.#hint.cancel();
    this.#clock.stop();
  }

  /** @param {Board} board */
  render(board) {
    if (this.#isOwn) describeGame(this.#players);
    $("hint").hidden = !this.isOpen(board);
    if (this.#isOwn && this.isOpen(board)) this.#clock.run(); else this.#clock.stop();
  }

  /** @param {Board} board */
  isOpen(board) {
    if (board.isOver || this.isThinking || (this.#isOwn && this.#clock.isOver)) return false;
    return !this.#isOwn || board.toMove === this.human;
  }

  /** @param {Board} board */
  status(board) {
    if (board.isDraw) return "A draw: the board is full, without four in a row.";
    if (!this.#isOwn && board.winner !== null) return `${game().names[board.winner]} won with four in a row.`;
    if (!this.#isOwn) return `${board.toMove ? "Red" : "Yellow"} to move: drop a disc to play on from here.`;
    if (board.winner === this.human) return "You win with four in a row.";
    if (board.winner !== null) return "The computer wins with four in a row.";
    if (this.#clock.isOver) return "Your time is over: the computer wins.";
    if (this.isThinking) return `${opponentName(this.page)} is thinking\u2026`;
    if (board.toMove !== this.human && this.#isLookingBack) return `Looking back: move ${board.ply}.`;
    if (board.toMove !== this.human) return "The computer has not moved: let it move again.";
    return board.ply < 2 ? `Your move: you are ${this.human ? "red" : "yellow"}.` : "Your move.";
  }

  /** @param {number} column */
  drop(column) {
    if (!this.#isOwn) this.#continueAs(position(shown()).toMove);
    this.#hint.cancel();
    play(column);
    this.#sayMove("You play", column);
    this.#continue();
  }

  undo() {
    if (!this.canUndo) return;
    const at = this.#lastOwnTurn();
    this.#request.cancel();
    walk(at);
    this.page.say("Move taken back. Your move.");
    this.page.refresh();
  }

  redo() {
    if (!this.canRedo) return;
    const { moves, at } = game();
    let next = at + 1;
    while (next < moves.length && next % 2 !== this.human) next++;
    walk(next);
    this.#continue();
  }

  /** @param {number} at */
  go(at) {
    this.#request.cancel();
    walk(at);
    this.page.sayPosition();
    this.#continue();
  }

  reset() {
    const starts = store.starts === "random" ? ["human", "computer"][Math.floor(Math.random() * 2)] : store.starts;
    this.start(starts === "computer" ? 1 : 0);
  }

  /**
   * Start a new game with the person as this side.
   * @param {number} side
   */
  start(side) {
    this.#request.cancel();
    complain(null);
    store.human = String(side);
    startGame({ origin: "play", ...this.#players });
    this.#clock.reset();
    $("search").textContent = "None yet.";
    this.page.say(side ? "New game. The computer starts." : "New game. You start.");
    this.#continue();
  }

  /**
   * Play on from the position after `moves`, as the side to move.
   * @param {number[]} moves
   */
  playFrom(moves) {
    showVariation(moves, moves.length);
    const side = position(moves).toMove;
    this.#continueAs(side);
    this.page.open("play");
    this.page.notify(`Your move: you are ${side ? "red" : "yellow"}.`);
  }

  /** Let the computer move for the side to move; on the empty board it becomes the first player. */
  letComputerMove() {
    const board = position(shown());
    if (board.isOver || this.isThinking) return;
    this.#continueAs(1 - board.toMove);
    this.#continue();
  }

  /** @param {string} field */
  changed(field) {
    if (field === "clock") this.#clock.reset();
    if (field === "starts" && game().moves.length <= 1) this.reset();
  }

  /** Show a best move in the position shown. */
  async hint() {
    const moves = shown();
    if (!this.isOpen(position(moves))) return;
    try {
      /** @type {Analysis | undefined} */
      const answer = await this.#hint.post("/api/analysis", { moves: writeMoves(moves), time_s: HINT_S });
      if (answer === undefined || writeMoves(moves) !== writeMoves(shown())) return;
      const [best] = answer.best;
      if (best === undefined) return this.page.notify("No hint: the position is not solved in time.");
      this.page.point(best);
      this.page.notify(`Hint: column ${best + 1}, ${answer.text}.`);
    } catch (error) {
      complain(error);
    }
  }

  #timeIsOver() {
    this.page.notify("Your time is over: the computer wins.");
    this.page.refresh();
  }

  get #players() {
    const agent = opponentName(this.page);
    return { names: this.human ? [agent, "You"] : ["You", agent], side: this.human };
  }

  /**
   * Continue the game from the position shown, with the person as this side.
   * @param {number} side
   */
  #continueAs(side) {
    store.human = String(side);
    takeOver({ origin: "play", ...this.#players });
  }

  /** Return the number of moves before the person's last turn; -1 if there was none. */
  #lastOwnTurn() {
    let at = game().at - 1;
    while (at >= 0 && at % 2 !== this.human) at--;
    return at;
  }

  /** Draw the position, and let the computer move if it is its turn at the game's end. */
  async #continue() {
    const board = position(shown());
    if (board.isOver || board.toMove === this.human || !this.#isOwn || this.#isLookingBack || this.#clock.isOver) {
      if (board.isOver) this.page.say(this.status(board), true);
      return this.page.refresh();
    }
    complain(null);
    const depth = store.agent === "level" ? levelNumber() : store.depth;
    const body = moveRequest(this.page, board.moves, store.agent, depth, store.options);
    const reply = this.#request.post("/api/move", body);
    this.page.refresh();
    try {
      /** @type {Decision | undefined} */
      const answer = await reply;
      if (answer === undefined) return undefined;
      if (!canPlay(board, answer.column)) throw new Error("The agent's move is not legal. Start a new game.");
      play(answer.column);
      $("search").textContent = describeSearch(answer);
      this.#sayMove("The computer plays", answer.column);
      const now = position(shown());
      if (now.isOver) this.page.say(this.status(now), true);
    } catch (error) {
      complain(error);
    }
    return this.page.refresh();
  }

  /**
   * @param {string} who
   * @param {number} column
   */
  #sayMove(who, column) { this.page.say(`${who} column ${column + 1}.`, true); }
}
