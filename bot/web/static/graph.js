// Scores and move times of a game as an inline SVG graph.

import { html, nothing, svg } from "./vendor/lit-html.js";
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
 * Return the graph of a game with `plies` moves; nothing where no score or time is known.
 *
 * `at`: the ply shown on the board; `side`: in whose view the scores are; `onPick(ply)`: called for a clicked ply.
 * @param {Point[]} points
 * @param {{plies: number, side: string, at: number, onPick: (ply: number) => void}} options
 */
export function graph(points, { plies, side, at, onPick }) {
  const scored = points.flatMap((point) => (typeof point.score === "number" ? [{ ...point, score: point.score }] : []));
  const timed = points.flatMap(({ ply, seconds }) => (seconds ? [{ ply, seconds }] : []));
  if (!scored.length && !timed.length) return nothing;
  const last = Math.max(plies, 10, ...points.map(({ ply }) => ply));
  const x = (/** @type {number} */ ply) => LEFT + 6 + ((WIDTH - LEFT - 14) * ply) / last;
  const height = TOP + HEIGHT + (timed.length ? BARS + 16 : 4);
  const label = `Score in ${side} view over ${plies} moves; the list of moves has the same in words.`;
  return html`<svg viewBox=${`0 0 ${WIDTH} ${height}`} role="img" aria-label=${label}>
    ${bands}${curve(scored, x)}${bars(timed, x)}
    <line class="now" x1=${x(at)} x2=${x(at)} y1=${TOP} y2=${TOP + HEIGHT} />
    ${pickers(plies, x, { height, onPick })}
  </svg>`;
}

/** @typedef {Point & {score: number}} Scored */
/** @typedef {{ply: number, seconds: number}} Timed */
/** @typedef {(ply: number) => number} Scale */

const BANDS = /** @type {const} */ ([["win", 0, 0.24, 0.15], ["open", 0.24, 0.76, 0.53], ["loss", 0.76, 1, 0.92]]);
const bands = BANDS.map(([name, from, to, where]) => svg`
  <rect class=${`band-${name}`} x=${LEFT} width=${WIDTH - LEFT} y=${TOP + from * HEIGHT}
    height=${(to - from) * HEIGHT} />
  <text x="0" y=${TOP + where * HEIGHT}>${name === "open" ? "draw" : name}</text>`);

/**
 * @param {Scored[]} scored
 * @param {Scale} x
 */
function curve(scored, x) {
  const y = (/** @type {Scored} */ point) => TOP + (HEIGHT * (1 - level(point.score, point.isProven))) / 2;
  const line = scored.map((point) => `${x(point.ply)},${y(point)}`).join(" ");
  const points = scored.map((point) => svg`
    <circle class=${point.isProven ? "point" : "point guess"} cx=${x(point.ply)} cy=${y(point)} r="2.5" />`);
  const mistakes = scored.filter(({ mistake }) => mistake).map((point) => {
    const size = point.mistake?.grave ? 7 : 5;
    const triangle = `M${x(point.ply)} ${y(point) - size - 5}l${size} ${-size * 1.6}h${-2 * size}z`;
    return svg`<path class=${severity(point.mistake)} data-mistake=${point.ply} d=${triangle} />`;
  });
  return svg`<polyline class="curve" points=${line} />${points}${mistakes}`;
}

/**
 * @param {Timed[]} timed
 * @param {Scale} x
 */
function bars(timed, x) {
  if (!timed.length) return nothing;
  const most = Math.max(0.1, ...timed.map(({ seconds }) => seconds));
  return svg`${timed.map(({ ply, seconds }) => {
    const height = Math.max(1, (BARS * seconds) / most);
    return svg`<rect class="bar" x=${x(ply) - 2.5} width="5" y=${BARS_TOP + BARS - height} height=${height} />`;
  })}
  <text x="0" y=${BARS_TOP + 8}>${most.toFixed(most < 1 ? 2 : 1)} s</text>
  <text x="0" y=${BARS_TOP + BARS}>0 s</text>`;
}

/**
 * Return invisible rectangles that take the clicks; a title names the move under the pointer.
 * @param {number} plies
 * @param {Scale} x
 * @param {{height: number, onPick: (ply: number) => void}} options
 */
function pickers(plies, x, { height, onPick }) {
  const width = x(1) - x(0);
  return Array.from({ length: plies + 1 }, (_, ply) => svg`
    <rect class="pick" x=${x(ply) - width / 2} width=${width} y="0" height=${height} data-ply=${ply}
      @click=${() => onPick(ply)}><title>${ply ? `Move ${ply}` : "Start"}</title></rect>`);
}
