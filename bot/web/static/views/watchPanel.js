import { html } from "../vendor/lit-html.js";

export const watchPanel = () => html`<section class="card"></section>`;
