import { html } from "../vendor/lit-html.js";

export const replayPanel = () => html`<section class="card"></section>`;
