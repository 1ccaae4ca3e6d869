// Controls of settings; `app.js` takes over what the user changes in any element with `data-field`.

import { store } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/**
 * @param {string} label
 * @param {string} field
 * @param {readonly (readonly [string, string])[]} options  value and text of each
 */
export const choice = (label, field, options) => html`<label>${label} <select data-field=${field}>
  ${options.map(([value, text]) =>
    html`<option value=${value} .selected=${store[field] === value}>${text}</option>`)}
</select></label>`;

/**
 * @param {string} label
 * @param {string} field
 * @param {{min: number, max: number, step?: number, placeholder?: string}} range
 */
export const number = (label, field, { min, max, step = 1, placeholder = "" }) => html`<label>${label}
  <input type="number" min=${min} max=${max} step=${step} placeholder=${placeholder} data-field=${field}
    .value=${store[field]}></label>`;

/**
 * @param {string} label
 * @param {string} field
 */
export const toggle = (label, field) => html`<label class="switch">
  <input type="checkbox" data-field=${field} .checked=${store[field] === "1"}> ${label}</label>`;

/**
 * @param {string} legend
 * @param {string} field
 * @param {readonly (readonly [string, string])[]} options  value and text of each
 */
export const segments = (legend, field, options) => html`<fieldset><legend>${legend}</legend>
  <div class="segments">${options.map(([value, text]) => html`<label>
    <input type="radio" name=${field} value=${value} data-field=${field} .checked=${store[field] === value}>
    <span>${text}</span></label>`)}</div>
</fieldset>`;

/**
 * A button; `options.strong` marks the next thing to do.
 * @param {string} label
 * @param {() => void} act
 * @param {{id?: string, strong?: boolean, small?: boolean, disabled?: boolean, title?: string}} [options]
 */
export const button = (label, act, { id, strong, small, disabled = false, title } = {}) => html`<button
  id=${id ?? nothing} class=${`${strong ? "strong" : ""} ${small ? "small" : ""}`} ?disabled=${disabled}
  title=${title ?? nothing} @click=${act}>${label}</button>`;
