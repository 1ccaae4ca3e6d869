import { html } from "../vendor/lit-html.js";

export const explorerPanel = () => html`<section class="card"></section>`;
