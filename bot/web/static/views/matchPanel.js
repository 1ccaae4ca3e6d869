import { html } from "../vendor/lit-html.js";

export const matchPanel = () => html`<section class="card"></section>`;
