// Requests to the page's server. Every failure becomes an Error with one readable sentence.

import { complain } from "./store.js";

/**
 * @typedef {{name: string, title: string, about: string, depth: number | null, deepest: number, number: string,
 *   own: boolean}} Agent  `number`: what `depth` counts, "depth", "playouts" or "level"; `own`: the place Agent is its
 * @typedef {Record<"title" | "called" | "moves" | "text" | "reason", string> & Record<"right" | "line", number[]> &
 *   Record<"ply" | "column", number | null> & {starts: boolean, opponent?: string}} Loss  or a position of a finding: without
 *   opponent
 * @typedef {{name: string, version: string, made: string, passes: {value: number, bot: string, text: string, short: string}[],
 *   losses: Loss[], groups: {text: string, games: number[]}[],
 *   findings: {text: string, positions: Loss[]}[], lost: number}} Gauntlet  reply of /api/agent, of the newest version
 * @typedef {{column: number}} Decision  reply of /api/move
 * @typedef {{kind: string, text: string, grave: boolean}} Verdict  what kind of mistake a move was
 * @typedef {{exact: number | null, text: string}} ColumnScore
 * @typedef {{columns: (ColumnScore | null)[], best: number[], score: number | null, text: string | null,
 *   pv: number[]}} Analysis  reply of /api/analysis
 * @typedef {{scores: (number | null)[], moves: (Verdict | null)[], lessons: Remark[], moments: number[][],
 *   turns: Record<string, number>, lost_side: number | null, lost_text: string | null}} Review  reply of /api/review:
 *   `moments`: plies of each side's key moments; `turns`: by ply, from where a mistake could be turned around;
 *   `lost_side`: whose moves all lost
 * @typedef {{ply: number, share: number, by: string}} Chance  replies of /api/chance: turns from which the level would
 *   have let the loser off; from each, the share of games that the next level, `by`, has saved
 * @typedef {{steps: string[], cells: number[][]}} Hint  reply of /api/hint: what each step says, and points at
 * @typedef {{number: number, name: string, about: string}} Level
 * @typedef {{kind: string, missed: boolean, player: number, line: number[], quiet: number, cells: number[],
 *   pairs: number[][], text: string}} Reason  cells are column * 6 + row; players 1 and 2
 * @typedef {{text: string, line: number[], hint: string}} Try  what follows a column in place of a mistake
 * @typedef {{ply: number, column: number, verdict: Verdict, text: string, question: string, name: string,
 *   reasons: Reason[], is_visible: boolean, only_delays: boolean, right: number[], tries: (Try | null)[],
 *   was_lost: boolean, line: number[], better: number[]}} Remark  what the coach says of a move;
 *   replies call it a lesson
 * @typedef {{cell: number, player: number, kind: string}} Threat
 * @typedef {{threats: Threat[], facts: Pick<Reason, "text" | "line" | "pairs">[]}} Sight  what is seen in a position
 * @typedef {{position: Sight | null, last: Remark | null}} Coaching  reply of /api/coach
 * @typedef {{column: number, wins: boolean, sentences: string[]}} ProofMove
 * @typedef {{column: number, answer: number | null, ends: boolean}} ProofReply
 * @typedef {{turn: string, move: ProofMove | null, replies: ProofReply[]}} ProofPlace  reply of /api/proof
 * @typedef {{name: string, kind: string, moves: string, solution: number, plies: number, grade: number,
 *   line: number[], question: string, answer: string, motif: string, reason: Reason | null, right?: number[],
 *   threats?: Threat[], ringed?: number[]}} Puzzle  `reason`: why the solution is right, or why the other moves are
 *   wrong; `right`: all right columns of an exercise of a lesson, `threats`: what waits on its board after the solution,
 *   `ringed`: cells of threats that wait before it
 * @typedef {{name: string, about: string, kinds: string[], exercises: Puzzle[]}} Lesson  `kinds`: of the coach's
 *   reasons that it teaches to see
 * @typedef {{won: number, drawn: number, lost: number}} Counts
 * @typedef {{number: number, result: number | null, outcome: string, we_started: boolean, moves: string,
 *   names?: string[], seats?: string[],
 *   id?: string}} Game  one game of a journal; of one that was played here, `names` and `seats`: who played yellow and
 *   red; `id`: by which it is kept
 * @typedef {{name: string, server: string, player: string, time: string, engine: string, goal: number, games?: number,
 *   started: number, played: number, won: number, drawn: number, lost: number, end: string, damaged: number,
 *   listed?: boolean, error?: string}} RunSummary  header and counts of a journal; `games`: how many it is to play;
 *   `listed`: whether all of its games are known
 * @typedef {RunSummary & {streak: number, by: string, verdict: string, met: boolean | null}} Judged  with the streak by
 *   the journals; `by`: whether they count it alone, or otherwise than the server; `verdict`: whether the goal is met
 * @typedef {Judged & {all: Game[], at?: string}} Run  a journal with all its games; `at`: how far they are known here
 * @typedef {{at: string, run?: Judged | null, games: Game[], whole?: boolean}} RunAnswer  a run with those of its games
 *   that have changed since another answer, or with the whole of them; without `run`, nothing has changed
 */

/** Time between two looks whether the server is back, milliseconds. */
const LOOK_MS = 1000;
let isWaiting = false;
/** @type {() => Promise<void>} */
let begin = async () => {};

/**
 * Set what is done when a server that did not respond is back, or a new one is in its place.
 * @param {() => Promise<void>} act
 */
export function whenBack(act) { begin = act; }

/** Look until the server responds; then begin again. */
async function waitForServer() {
  if (isWaiting) return;
  isWaiting = true;
  for (let isBack = false; !isBack;) {
    await new Promise((resolve) => { setTimeout(resolve, LOOK_MS); });
    isBack = await fetch("/api/room").then(() => true, () => false);
  }
  isWaiting = false;
  begin().catch(complain);
}

/**
 * Send a request and return the reply; undefined where it was cancelled.
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function send(path, init) {
  const isCancelled = () => init?.signal?.aborted;
  let response, answer;
  try {
    response = await fetch(path, init);
  } catch {
    if (isCancelled()) return undefined;
    waitForServer();
    throw new Error("The page's server does not respond. Your games are kept: start `bot web` again to go on.");
  }
  try {
    answer = await response.json();
  } catch {
    if (isCancelled()) return undefined;
    throw new Error("The page's server sent a reply that cannot be read. Reload the page.");
  }
  if (isCancelled()) return undefined;
  if (response.ok) return answer;
  throw new Error(answer.error || `That did not work (status ${response.status}). Reload the page.`);
}

/** @param {string} path */
export const get = (path) => send(path);

/**
 * Send a request with a body.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal]
 */
export const post = (path, body, signal) =>
  send(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });

/** At most one request at a time: a new one, or `cancel`, aborts the old one, which also stops its search. */
export class SingleRequest {
  /** @type {AbortController | null} */
  #controller = null;

  get isBusy() { return this.#controller !== null; }

  cancel() {
    this.#controller?.abort();
    this.#controller = null;
  }

  /**
   * Return the reply, or undefined if the request was cancelled.
   * @param {string} path
   * @param {object} body
   * @returns {Promise<any>}
   */
  async post(path, body) {
    this.cancel();
    const controller = (this.#controller = new AbortController());
    try {
      return await post(path, body, controller.signal);
    } finally {
      if (this.#controller === controller) this.#controller = null;
    }
  }
}
