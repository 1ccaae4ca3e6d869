import { html } from "../vendor/lit-html.js";

export const puzzlesPanel = () => html`<section class="card"></section>`;
