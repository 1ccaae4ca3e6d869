import { html } from "../vendor/lit-html.js";

export const proofPanel = () => html`<section class="card"></section>`;
