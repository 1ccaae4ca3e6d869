// Controls: each shows a value and says what to do with another one.

import { set, settings } from "./settings.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @param {Event} event */
const inputOf = ({ target }) => /** @type {HTMLInputElement} */ (target);

/**
 * A field for a number; null stands for an empty one, which only a field with a placeholder takes.
 * @param {string} label
 * @param {number | null} value
 * @param {{min: number, max: number, step?: number, placeholder?: string}} range
 * @param {(value: number | null) => void} act
 */
export function number(label, value, { min, max, step = 1, placeholder = "" }, act) {
  const take = (/** @type {Event} */ event) => {
    const input = inputOf(event);
    if (input.reportValidity()) act(input.value === "" ? null : input.valueAsNumber);
  };
  return html`<label>${label} <input type="number" min=${min} max=${max} step=${step} placeholder=${placeholder}
    ?required=${!placeholder} .value=${String(value ?? "")} @change=${take}></label>`;
}

/**
 * @param {string} label
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} act
 * @param {string} [id]
 */
export const toggle = (label, isOn, act, id) => html`<label class="switch"><input type="checkbox" id=${id ?? nothing}
  .checked=${isOn} @change=${(/** @type {Event} */ event) => act(inputOf(event).checked)}> ${label}</label>`;

/** Shows scores wherever they may be seen. */
export const scoresToggle = () => toggle("Scores below the columns", settings.areScoresShown,
  (areScoresShown) => set({ areScoresShown }), "analyse");

/**
 * A choice of few, all of which are seen.
 * @template {string | number} Value
 * @param {string} legend
 * @param {Value} value
 * @param {readonly (readonly [Value, string])[]} options  value and text of each
 * @param {(value: Value) => void} act
 */
export function segments(legend, value, options, act) {
  const all = options.map(([one, text]) => html`<label>
    <input type="radio" name=${legend || "segment"} value=${one} .checked=${one === value} @change=${() => act(one)}>
    <span>${text}</span></label>`);
  return html`<fieldset>${legend && html`<legend>${legend}</legend>`}<div class="segments">${all}</div></fieldset>`;
}

/**
 * A button; `isStrong` marks the next thing to do.
 * @param {string} label
 * @param {() => void} act
 * @param {{id?: string, isStrong?: boolean, isSmall?: boolean, isDisabled?: boolean}} [options]
 */
export const button = (label, act, { id, isStrong, isSmall, isDisabled = false } = {}) => html`<button
  id=${id ?? nothing} class="${isStrong ? "strong" : ""} ${isSmall ? "small" : ""}" ?disabled=${isDisabled}
  @click=${act}>${label}</button>`;
