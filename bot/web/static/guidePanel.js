// The card of the key moments; the page and the exported game show the same.

import { lessonLink } from "./course.js";
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
  const again = tried === null ? nothing : html`<p>Try another column.</p>`;
  // The heading names the move, and the reason says the same as the sentence on it.
  const happened = isTold && lesson.reasons.length ? nothing
    : html`<p><strong>${spoken(lesson.text, you)}</strong></p>`;
  return html`${lost}
    <p id="guide-head" class="about">${isAll ? "Mistake" : "Key moment"} ${index + 1} of ${asked.length},
      move ${ply + 1}: column ${lesson.column + 1}</p>
    <div aria-live="polite" id="guide-text">${happened}
      ${isTold ? told(guide) : again}</div>`;
}

/**
 * Tell what was right, and why the move was not.
 * @param {Guide} guide
 */
function told(guide) {
  const { game, ply, lesson, answer, isFound } = guide;
  if (!lesson || ply === null) return nothing;
  const [reason] = lesson.reasons, before = game.main.slice(0, ply);
  const right = answer === null ? "" : lesson.tries[answer]?.text ?? "";
  return html`${reason ? reasonLine(game, reason, before) : nothing}
    <p class=${isFound ? "good" : ""}>${spoken(right, game.you)}</p>
    ${reason ? lessonLink(reason) : nothing}
    ${lesson.is_visible || lesson.name ? nothing : html`<p class="about">Hard to see: it takes perfect play.</p>`}`;
}

/**
 * What is said at the end, or where there is no moment.
 * @param {Guide} guide
 */
function finish(guide) {
  const { asked, moments, mistakes, marks, review, isAll } = guide;
  const found = asked.filter((ply) => marks[ply] === "found").length;
  const text = asked.length ? `${found} of ${asked.length} found.`
    : "No key moment: nothing that a person could have seen, and no move that changed the result.";
  const rest = review?.scores.includes(null) ? " Not all moves could be checked in time." : "";
  const rows = asked.map((ply, index) => {
    const said = spoken(guide.lessonOn(ply)?.text ?? "", guide.game.you);
    return html`<li><button @click=${() => guide.ask(index)}><span>Move ${ply + 1}</span>
      <span class="about">${marks[ply] ?? "skipped"}</span><small>${said}</small></button></li>`;
  });
  const hasMore = !isAll && mistakes.length > moments.length;
  return html`<p id="guide-text">${text}${rest}</p>
    ${rows.length ? html`<ul class="list">${rows}</ul>` : nothing}
    ${hasMore ? html`<div class="row">${button(`All mistakes: ${mistakes.length}`, () => guide.askAll(),
      { id: "guide-all", isSmall: true })}</div>` : nothing}`;
}
