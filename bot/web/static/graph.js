// Scores and move times of a game as an inline SVG graph.

import { svg } from "./dom.js";
import { severity } from "./verdicts.js";

/** @import { Review, Verdict } from "./api.js" */

/**
 * @typedef {{ply: number, score: number | null, isProven: boolean, seconds?: number | null,
 *   mistake?: Verdict | null}} Point  a position; `seconds`: time of the move made in it; `mistake`: of the last move
 */

const WIDTH = 420, LEFT = 36, TOP = 8, HEIGHT = 132;
const BARS = 30, BARS_TOP = TOP + HEIGHT + 12;

/**
 * Return the height of a score, -1..1: proven wins and losses in the outer bands, draws and estimates in the middle.
 * @param {number} score
 * @param {boolean} isProven
 */
export function level(score, isProven) {
  if (!isProven) return Math.sign(score) * 0.4 * (1 - 1 / (1 + Math.abs(score) / 60));
  return score === 0 ? 0 : Math.sign(score) * (0.55 + (0.4 * Math.min(21, Math.abs(score))) / 21);
}

/**
 * Return the points of a reviewed game; `sign` 1: in the first player's view, -1: in the second player's.
 * @param {Review} review
 * @param {number} [sign]
 * @returns {Point[]}
 */
export function reviewPoints(review, sign = 1) {
  return review.scores.map((score, ply) => {
    const verdict = ply > 0 ? review.moves[ply - 1] : null;
    const mistake = severity(verdict) ? verdict : null;
    return { ply, score: score === null ? null : score * sign, isProven: true, mistake };
  });
}

/**
 * Draw the points of a game with `plies` moves into `root`.
 *
 * `at`: the ply shown on the board; `side`: in whose view the scores are; `onPick(ply)`: called for a clicked ply.
 * @param {HTMLElement} root
 * @param {Point[]} points
 * @param {{plies: number, side: string, at?: number | null, onPick?: ((ply: number) => void) | null}} options
 */
export function drawGraph(root, points, { plies, side, at = null, onPick = null }) {
  const scored = points.flatMap((point) => (typeof point.score === "number" ? [{ ...point, score: point.score }] : []));
  const timed = points.flatMap(({ ply, seconds }) => (seconds ? [{ ply, seconds }] : []));
  if (!scored.length && !timed.length) return root.replaceChildren();
  const last = Math.max(plies, 10);
  const x = (/** @type {number} */ ply) => LEFT + 6 + ((WIDTH - LEFT - 14) * ply) / last;
  const parts = [...bands(), ...curve(scored, x), ...bars(timed, x)];
  if (at !== null) parts.push(svg("line", { class: "now", x1: x(at), x2: x(at), y1: TOP, y2: TOP + HEIGHT }));
  const height = TOP + HEIGHT + (timed.length ? BARS + 16 : 4);
  if (onPick) parts.push(...pickers(plies, x, { height, onPick }));
  const label = `Score in ${side} view over ${plies} moves.${describe(scored, timed)}`;
  const attributes = { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label };
  return root.replaceChildren(svg("svg", attributes, ...parts));
}

/** @typedef {Point & {score: number}} Scored */
/** @typedef {{ply: number, seconds: number}} Timed */
/** @typedef {(ply: number) => number} Scale */

function bands() {
  const band = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => svg("rect", {
    class: `band-${name}`, x: LEFT, width: WIDTH - LEFT, y: TOP + from * HEIGHT, height: (to - from) * HEIGHT,
  });
  const text = (/** @type {string} */ name, /** @type {number} */ where) =>
    svg("text", { x: 0, y: TOP + where * HEIGHT }, name);
  return [band("win", 0, 0.24), band("open", 0.24, 0.76), band("loss", 0.76, 1),
    text("win", 0.15), text("draw", 0.53), text("loss", 0.92)];
}

/**
 * @param {Scored[]} scored
 * @param {Scale} x
 */
function curve(scored, x) {
  const y = (/** @type {Scored} */ point) => TOP + (HEIGHT * (1 - level(point.score, point.isProven))) / 2;
  const parts = [];
  const line = scored.map((point) => `${x(point.ply)},${y(point)}`).join(" ");
  if (scored.length > 1) parts.push(svg("polyline", { class: "curve", points: line }));
  for (const point of scored) {
    const kind = point.isProven ? "point" : "point guess";
    parts.push(svg("circle", { class: kind, cx: x(point.ply), cy: y(point), r: 2.5 }));
  }
  for (const point of scored) {
    if (!point.mistake) continue;
    const size = point.mistake.grave ? 7 : 5;
    const triangle = `M${x(point.ply)} ${y(point) - size - 5}l${size} ${-size * 1.6}h${-2 * size}z`;
    parts.push(svg("path", { class: severity(point.mistake), "data-mistake": point.ply, d: triangle }));
  }
  return parts;
}

/**
 * @param {Timed[]} timed
 * @param {Scale} x
 */
function bars(timed, x) {
  if (!timed.length) return [];
  const most = Math.max(0.1, ...timed.map(({ seconds }) => seconds));
  const parts = timed.map(({ ply, seconds }) => {
    const height = Math.max(1, (BARS * seconds) / most);
    return svg("rect", { class: "bar", x: x(ply) - 2.5, width: 5, y: BARS_TOP + BARS - height, height });
  });
  parts.push(svg("text", { x: 0, y: BARS_TOP + 8 }, `${most.toFixed(most < 1 ? 2 : 1)} s`));
  parts.push(svg("text", { x: 0, y: BARS_TOP + BARS }, "0 s"));
  return parts;
}

/**
 * Return invisible rectangles that take the clicks; a title names the move under the pointer.
 * @param {number} plies
 * @param {Scale} x
 * @param {{height: number, onPick: (ply: number) => void}} options
 */
function pickers(plies, x, { height, onPick }) {
  const width = x(1) - x(0);
  return Array.from({ length: plies + 1 }, (_, ply) => svg("rect", {
    class: "pick", x: x(ply) - width / 2, width, y: 0, height, "data-ply": ply, onclick: () => onPick(ply),
  }, svg("title", {}, ply ? `Move ${ply}` : "Start")));
}

/**
 * Return the rest of the graph's description for screen readers.
 * @param {Scored[]} scored
 * @param {Timed[]} timed
 */
function describe(scored, timed) {
  const marked = scored.flatMap(({ ply, mistake }) => (mistake ? [`move ${ply}: ${mistake.text}`] : []));
  const slowest = Math.max(...timed.map(({ seconds }) => seconds));
  return (timed.length ? ` The slowest move took ${slowest.toFixed(2)} s.` : "") +
    (marked.length ? ` Marked: ${marked.join("; ")}.` : "");
}
