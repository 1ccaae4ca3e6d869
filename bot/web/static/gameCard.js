// The card of the game on the board, with the ways to examine it and to take it out of the page.

import { isReviewing, reviewOf } from "./evaluator.js";
import { button } from "./fields.js";
import { journalPoints } from "./journals.js";
import { card } from "./parts.js";
import { shareButtons } from "./share.js";
import { html, nothing } from "./vendor/lit-html.js";
import { analysis } from "./views/analysis.js";
import { review } from "./views/review.js";

/** @import { View } from "./view.js" */

/**
 * @param {View} view
 * @param {boolean} isSpectator
 */
export function gameCard(view, isSpectator) {
  const { game } = view, { main, record } = game;
  const examine = html`
    ${button(isReviewing(main) ? "Searching\u2026" : "Find the mistakes", () => review.examine(game),
      { id: "find", disabled: !main.length })}
    ${view === analysis ? nothing : button("Analyse", () => analysis.examine(game), { id: "analyse" })}`;
  const buttons = isSpectator ? nothing : html`${view === review ? nothing : examine} ${shareButtons(game)}`;
  return card(view, { review: reviewOf(main), points: record ? journalPoints(record) : [], buttons });
}
