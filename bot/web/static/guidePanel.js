// The card of the key moments; the page and the exported game show the same.

import { button } from "./fields.js";
import { reasonLine, spoken } from "./lessons.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Guide } from "./guide.js" */

/** @param {Guide} guide */
export function guidePanel(guide) {
  const { review, asked, index, ply, lesson, tried, isAll, isTold, side, game: { side: own, you } } = guide;
  if (!review) return html`<p class="about" role="status">The game is being reviewed\u2026</p>`;
  const isLost = review.lost_text !== null && index === 0 && review.lost_side === side && (own ?? side) === side;
  const lost = isLost ? html`<p id="doomed">${spoken(review.lost_text ?? "", you)}</p>` : nothing;
  if (ply === null || !lesson) return html`${lost}${finish(guide)}`;
  // The headline asks only until a column is tried.
  const again = tried === null ? nothing : html`<p>${spoken(lesson.question, you)} Try another column.</p>`;
  return html`${lost}
    <p id="guide-head" class="about">${isAll ? "Mistake" : "Key moment"} ${index + 1} of ${asked.length},
      ${whose(guide)} move ${ply + 1}, marked \u00d7</p>
    ${asked.length < 2 ? nothing : html`<div class="steps" aria-hidden="true">${asked.map((at) =>
      html`<i class=${at === ply ? "now" : guide.marks[at] ?? ""}></i>`)}</div>`}
    <div aria-live="polite" id="guide-text"><p><strong>${spoken(lesson.text, you)}</strong></p>
      ${isTold ? told(guide) : again}</div>`;
}

/** @param {Guide} guide */
function whose({ game: { names }, side }) {
  return names[side] === "You" ? "your" : `${names[side]}\u2019s`;
}

/**
 * Tell what was right, why the move was not, and where the game could still be held.
 * @param {Guide} guide
 */
function told(guide) {
  const { game, ply, lesson, answer, turn, isFound } = guide;
  if (!lesson || ply === null) return nothing;
  const [reason] = lesson.reasons, before = game.main.slice(0, ply);
  const right = answer === null ? "" : lesson.tries[answer]?.text ?? "";
  const last = guide.review?.turns[ply], isOwn = turn !== null;
  const held = last === undefined ? "The game was lost from the first move on."
    : `The last chance was move ${last + 1}${isOwn ? ": turn it around from there" : ""}.`;
  return html`${reason ? reasonLine(game, reason, before) : nothing}
    <p class=${isFound ? "good" : ""}>${spoken(right, game.you)}</p>
    ${lesson.is_visible || lesson.name ? nothing : html`<p class="about">This is hard to see: it takes perfect play to
      know it.</p>`}
    ${lesson.was_lost && guide.around.turnAround ? html`<p class="about">${held}</p>` : nothing}`;
}

/**
 * What is said at the end, or where there is no moment.
 * @param {Guide} guide
 */
function finish(guide) {
  const { asked, moments, mistakes, marks, review, isAll } = guide;
  const count = (/** @type {"found" | "shown" | undefined} */ mark) =>
    asked.filter((ply) => marks[ply] === mark).length;
  const counts = `found ${count("found")}, shown ${count("shown")}, skipped ${count(undefined)}`;
  const what = isAll ? ["mistake", "mistakes"] : ["key moment", "key moments"];
  const text = asked.length ? `Of ${asked.length} ${what[asked.length === 1 ? 0 : 1]}: ${counts}.`
    : "No key moment: nothing that a person could have seen, and no move that changed the result.";
  const rest = review?.scores.includes(null) ? " Not all moves could be checked in time." : "";
  const rows = asked.map((ply, index) => {
    const name = guide.lessonOn(ply)?.name || "mistake";
    return html`<li><button @click=${() => guide.ask(index)}><span>Move ${ply + 1}: ${name}</span>
      <span class="about">${marks[ply] ?? "skipped"}</span></button></li>`;
  });
  const hasMore = !isAll && mistakes.length > moments.length;
  const all = mistakes.length === 1 ? "The mistake" : `All ${mistakes.length} mistakes`;
  return html`<p id="guide-text">${text}${rest}</p>
    ${rows.length ? html`<ul class="list">${rows}</ul>` : nothing}
    ${hasMore ? html`<div class="row">${button(all, () => guide.askAll(), { id: "guide-all", isSmall: true })}</div>`
      : nothing}`;
}
