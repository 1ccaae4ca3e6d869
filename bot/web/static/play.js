// A person against an agent.

import { $, complain } from "./dom.js";
import { Asker } from "./api.js";
import { canPlay, position, writeMoves } from "./rules.js";
import { line, setLine, shown, store } from "./store.js";

/** What /api/move is asked: `agent`, and the settings that the agent has. */
export function question(page, moves, agent, depth, options) {
  const player = page.agent(agent);
  return {
    moves: writeMoves(moves), agent, depth: depth ? Math.round(Number(depth)) : null, options: player?.options.length ? options : "",
    time_s: Number(store.time) || 2, random: store.fixed !== "1",
  };
}

/** The computer's last decision in words. */
export function thoughtOf(answer) {
  const score = answer.score === null ? "" : answer.proven
    ? (answer.score === 0 ? "a sure draw" : `a sure ${answer.score > 0 ? "win" : "loss"}`) : `score ${answer.score.toLocaleString("en")}`;
  const parts = [`Column ${answer.column + 1}`, score, answer.depth ? `${answer.depth} plies deep` : "",
    answer.nodes ? `${answer.nodes.toLocaleString("en")} nodes` : "", `${answer.seconds.toFixed(answer.seconds < 0.1 ? 3 : 2)} s`,
    answer.source ? `by ${answer.source}` : ""];
  return `${parts.filter(Boolean).join(", ")}.`;
}

export class Play {
  hasNavigator = false;
  #asker = new Asker();

  constructor(page) {
    this.page = page;
    $("computer").addEventListener("click", () => this.letComputerMove());
  }

  get human() { return Number(store.human) ? 1 : 0; }
  get isThinking() { return this.#asker.isBusy; }
  get canUndo() { return this.#before() >= 0; }
  get canRedo() { return !this.isThinking && line().at < line().moves.length; }

  enter() { this.#goOn(); }
  leave() { this.#asker.cancel(); }
  isOpen(board) { return !board.isOver && !this.isThinking && board.toMove === this.human; }

  status(board) {
    if (board.winner !== null) return board.winner === this.human ? "You win with four in a row." : "The computer wins with four in a row.";
    if (board.isDraw) return "A draw: the board is full and nobody has four.";
    if (this.isThinking) return `${this.page.agent(store.agent)?.name ?? "The computer"} is thinking\u2026`;
    if (board.toMove !== this.human) return "The computer has not moved: let it move again.";
    return board.ply < 2 ? `Your move: you are ${this.human ? "red" : "yellow"}.` : "Your move.";
  }

  drop(column) {
    setLine([...shown(), column]);
    this.#tell("You play", column);
    this.#goOn();
  }

  undo() {
    const at = this.#before();
    if (at < 0) return;
    this.#asker.cancel();
    setLine(line().moves, at);
    this.page.say("Move taken back. Your move.");
    this.page.refresh();
  }

  redo() {
    if (!this.canRedo) return;
    const { moves, at } = line();
    let next = at + 1;
    while (next < moves.length && next % 2 !== this.human) next++;
    setLine(moves, next);
    this.#goOn();
  }

  reset() {
    this.#asker.cancel();
    complain(null);
    const starts = store.starts === "random" ? ["human", "computer"][Math.floor(Math.random() * 2)] : store.starts;
    store.human = starts === "computer" ? "1" : "0";
    setLine([]);
    $("thought").textContent = "Nothing yet.";
    this.page.say(starts === "computer" ? "New game. The computer starts." : "New game. You start.");
    this.#goOn();
  }

  /** The computer moves for whoever's turn it is; on the empty board that makes it the first player. */
  letComputerMove() {
    const board = position(shown());
    if (board.isOver || this.isThinking) return;
    store.human = String(1 - board.toMove);
    this.#goOn();
  }

  changed(field) {
    if (field === "starts" && line().moves.length <= 1) this.reset();
  }

  /** The last position before the one shown in which the human had the move; -1 where there is none. */
  #before() {
    let at = line().at - 1;
    while (at >= 0 && at % 2 !== this.human) at--;
    return at;
  }

  async #goOn() {
    const board = position(shown());
    if (board.isOver || board.toMove === this.human) {
      if (board.isOver) this.page.say(this.status(board), true);
      return this.page.refresh();
    }
    complain(null);
    const asking = this.#asker.ask("/api/move", question(this.page, board.moves, store.agent, store.depth, store.options));
    this.page.refresh();
    try {
      const answer = await asking;
      if (answer === undefined) return;
      if (!canPlay(board, answer.column)) throw new Error("The agent's move is not legal. Start a new game.");
      setLine([...board.moves, answer.column]);
      $("thought").textContent = thoughtOf(answer);
      this.#tell("The computer plays", answer.column);
      const now = position(shown());
      if (now.isOver) this.page.say(this.status(now), true);
    } catch (error) {
      complain(error);
    }
    this.page.refresh();
  }

  #tell(who, column) { this.page.say(`${who} column ${column + 1}.`, true); }
}
