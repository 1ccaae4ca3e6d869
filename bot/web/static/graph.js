// Scores and move times over a game, as inline SVG.

import { svg } from "./dom.js";

const WIDTH = 320, LEFT = 34, TOP = 6, HEIGHT = 92, BARS = 34;

/** -1..1: proven wins and losses in the outer bands, draws and estimates in the middle one. */
function level(score, isProven) {
  if (!isProven) return Math.sign(score) * 0.4 * (1 - 1 / (1 + Math.abs(score) / 60));
  return score === 0 ? 0 : Math.sign(score) * (0.55 + (0.4 * Math.min(21, Math.abs(score))) / 21);
}

/**
 * Draw `points` ({ply, score, isProven, seconds, mistake: {grave, text}}) into `root`.
 * `onPick(ply)` when one is clicked; `at` is the ply now shown; `whose` says whose view the scores are.
 */
export function drawGraph(root, points, { plies, at = null, whose = "our", onPick = null }) {
  const scored = points.filter((point) => point.score !== null && point.score !== undefined);
  const timed = points.filter((point) => point.seconds);
  if (!scored.length && !timed.length) return root.replaceChildren();
  const last = Math.max(plies, 10);
  const x = (ply) => LEFT + ((WIDTH - LEFT - 6) * ply) / last;
  const y = (point) => TOP + (HEIGHT * (1 - level(point.score, point.isProven))) / 2;
  const band = (name, from, to) => svg("rect", { class: `band-${name}`, x: LEFT, width: WIDTH - LEFT, y: TOP + from * HEIGHT, height: (to - from) * HEIGHT });
  const parts = [band("win", 0, 0.24), band("open", 0.24, 0.76), band("loss", 0.76, 1)];
  [["win", 0.15], ["open", 0.53], ["loss", 0.92]].forEach(([text, where]) => parts.push(svg("text", { x: 0, y: TOP + where * HEIGHT }, text)));
  if (scored.length > 1) parts.push(svg("polyline", { class: "curve", points: scored.map((point) => `${x(point.ply)},${y(point)}`).join(" ") }));
  for (const point of scored) parts.push(svg("circle", { class: point.isProven ? "point" : "point guess", cx: x(point.ply), cy: y(point), r: 2.5 }));
  for (const point of scored.filter((entry) => entry.mistake)) {
    const size = point.mistake.grave ? 6 : 4;
    parts.push(svg("path", {
      class: point.mistake.grave ? "grave" : "slip", "data-mistake": point.ply,
      d: `M${x(point.ply)} ${y(point) - size - 5}l${size} ${-size * 1.6}h${-2 * size}z`,
    }));
  }
  if (timed.length) {
    const top = TOP + HEIGHT + 12, most = Math.max(0.1, ...timed.map((point) => point.seconds));
    for (const point of timed) {
      const height = Math.max(1, (BARS * point.seconds) / most);
      parts.push(svg("rect", { class: "bar", x: x(point.ply) - 2, width: 4, y: top + BARS - height, height }));
    }
    parts.push(svg("text", { x: 0, y: top + 8 }, `${most.toFixed(most < 1 ? 2 : 1)} s`), svg("text", { x: 0, y: top + BARS }, "0 s"));
  }
  if (at !== null) parts.push(svg("line", { class: "now", x1: x(at), x2: x(at), y1: TOP, y2: TOP + HEIGHT }));
  if (onPick) for (let ply = 0; ply <= plies; ply++) {
    parts.push(svg("rect", { class: "pick", x: x(ply) - x(0.5) + LEFT, width: x(1) - LEFT, y: TOP, height: HEIGHT, onclick: () => onPick(ply) }));
  }
  const slowest = timed.length ? ` The slowest move took ${Math.max(...timed.map((point) => point.seconds)).toFixed(2)} s.` : "";
  const marked = scored.filter((point) => point.mistake).map((point) => `move ${point.ply}: ${point.mistake.text}`);
  const label = `Score in ${whose} view over ${plies} moves.${slowest}${marked.length ? ` Marked: ${marked.join("; ")}.` : ""}`;
  root.replaceChildren(svg("svg", { viewBox: `0 0 ${WIDTH} ${TOP + HEIGHT + (timed.length ? BARS + 16 : 4)}`, role: "img", "aria-label": label }, ...parts));
}
