// The card of the guided review; the page and the exported game show the same.

import { button } from "./fields.js";
import { reasonPart, withColours } from "./lessons.js";
import { playLine } from "./lines.js";
import { severity } from "./verdicts.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Analysis, Lesson } from "./api.js" */
/** @import { Guide } from "./guide.js" */

/** @param {Guide} guide */
export function guidePanel(guide) {
  const { review, mistakes, index, ply, game, answer, lesson } = guide, { main, side } = game;
  if (!review) return html`<p class="about" role="status">The game is being reviewed\u2026</p>`;
  const isOurs = review.doomed !== null && (side === null || side === review.doomed % 2);
  const doomed = isOurs && index === 0 ? html`<p id="doomed">${withColours(review.doomed_text ?? "")}</p>` : nothing;
  if (ply === null) return html`${doomed}${finish(guide)}`;
  const player = game.names[ply % 2], whose = player === "You" ? "your" : `${player}'s`;
  const what = severity(review.moves[ply]) ? "Mistake" : "Moment";
  return html`${doomed}
    <p id="guide-head" class="about">${what} ${index + 1} of ${mistakes.length}, ${whose} move ${ply + 1}</p>
    ${mistakes.length < 2 ? nothing : html`<div class="steps" aria-hidden="true">${mistakes.map((at) =>
      html`<i class=${at === ply ? "now" : guide.marks[at] ?? ""}></i>`)}</div>`}
    <div aria-live="polite" id="guide-text">${guide.isTold ? told(guide, answer, lesson)
      : html`<p>${asked(guide, answer, `${player} played column ${main[ply] + 1}.`)}</p>`}</div>`;
}

/**
 * @param {Guide} guide
 * @param {Analysis | undefined} answer
 * @param {string} played
 */
function asked({ tried, verdict }, answer, played) {
  if (tried === null) return played;
  if (!verdict) return answer?.score === null ? "Not solved in time: no move can be judged." : "One moment\u2026";
  const text = answer?.columns[tried]?.text;
  return `Column ${tried + 1} is not it${text ? `: ${text}` : ""}. Try another one.`;
}

/**
 * Tell what a person could have seen, and what perfect play says; a reason that only deep play shows can be opened.
 * @param {Guide} guide
 * @param {Analysis | undefined} answer
 * @param {Pick<Lesson, "reasons"> | null | undefined} lesson
 */
function told(guide, answer, lesson) {
  const { game, ply, review } = guide, line = answer?.pv ?? [];
  if (ply === null || !review) return nothing;
  const before = game.main.slice(0, ply), insight = review.insights[ply], [deep] = lesson?.reasons ?? [];
  const verdict = review.moves[ply], column = game.main[ply] + 1, isLost = (answer?.score ?? 0) < 0;
  return html`${insight ? html`<p>Column ${column}: <span class="kind">${insight.kind}</span></p>` : nothing}
    ${ply === review.moment ? html`<p>${isLost ? "It was lost already, but here it could be seen how."
      : "This was the last moment to see it."}</p>` : nothing}
    ${insight ? reasonPart(game, insight, before) : nothing}
    <p class=${insight ? "about" : ""}>Column ${column}${verdict?.grave ? "" : ":"} ${verdict?.text}.</p>
    ${line.length ? html`<div class="row">
      ${button("Show the best line", () => playLine(game, { before, line }), { isSmall: true })}</div>` : nothing}
    ${deep && !insight ? html`<details><summary>Why</summary>${reasonPart(game, deep, before)}</details>` : nothing}`;
}

/**
 * What is said at the end, or where there is no mistake.
 * @param {Guide} guide
 */
function finish({ mistakes, marks, review }) {
  const count = (/** @type {"found" | "shown" | undefined} */ mark) =>
    mistakes.filter((ply) => marks[ply] === mark).length;
  const counts = `found ${count("found")}, shown ${count("shown")}, skipped ${count(undefined)}`;
  const text = mistakes.length ? `Of ${mistakes.length} ${mistakes.length === 1 ? "moment" : "moments"}: ${counts}.`
    : "No mistake was found.";
  const rest = review?.scores.includes(null) ? " Not all moves could be checked in time." : "";
  return html`<p id="guide-text">${text}${rest}</p>`;
}
