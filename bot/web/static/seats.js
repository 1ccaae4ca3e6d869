// Seats of a game: who plays a colour. You, a level for people, or an agent.

/**
 * `level` 0: the level that the server offers first. `depth`: the number that the agent takes, null for its own.
 * @typedef {{kind: "you"} | {kind: "level", level: number}
 *   | {kind: "agent", agent: string, depth: number | null, options: string}} Seat
 */

/** @type {Seat} */
export const YOU = { kind: "you" };
/** The level that the server offers first. @type {Seat} */
export const FIRST_LEVEL = { kind: "level", level: 0 };
/** The course's own bot, whose name and depth are written without a colon. */
export const COURSE_BOT = "depth";

/**
 * Whether a value that was kept is a seat.
 * @param {any} value
 * @returns {value is Seat}
 */
export function isSeat(value) {
  if (value?.kind === "level") return Number.isInteger(value.level) && value.level >= 0;
  if (value?.kind !== "agent") return value?.kind === "you";
  const hasDepth = value.depth === null || (Number.isInteger(value.depth) && value.depth > 0);
  return typeof value.agent === "string" && typeof value.options === "string" && hasDepth;
}

/** Whether a person sits there. */
export const isPerson = (/** @type {Seat} */ { kind }) => kind === "you";

/** Whether two seats are the same. */
export const isSame = (/** @type {Seat} */ one, /** @type {Seat} */ other) => writeSeat(one) === writeSeat(other);

/**
 * Return a seat as text: "you", "level:5", or the name of an agent as commands take it: "uct:1000".
 * @param {Seat} seat
 */
export function writeSeat(seat) {
  if (seat.kind === "you") return "you";
  if (seat.kind === "level") return `level:${seat.level}`;
  const number = seat.depth === null ? "" : `${seat.agent === COURSE_BOT ? "" : ":"}${seat.depth}`;
  return `${seat.agent}${number}${seat.options ? `,${seat.options}` : ""}`;
}

/**
 * Return the seat that a text names; null where it names none.
 * @param {string | null | undefined} text
 * @returns {Seat | null}
 */
export function readSeat(text) {
  if (text?.toLowerCase() === "you") return YOU;
  const [, level] = /^level(?::(\d+))?$/.exec(text ?? "") ?? [null, null];
  if (level !== null) return { kind: "level", level: Number(level ?? 0) };
  const course = /^depth(\d+)$/.exec(text ?? "");
  if (course) return { kind: "agent", agent: COURSE_BOT, depth: Number(course[1]), options: "" };
  const found = /^([\w.+-]+)(?::(\d+))?(?:,(.*))?$/.exec(text ?? "");
  if (!found) return null;
  return { kind: "agent", agent: found[1], depth: Number(found[2]) || null, options: found[3] ?? "" };
}
