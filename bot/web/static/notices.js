// What the page says beside its places: an error until it is dismissed, and a notice for a moment.

import { banner, complain, dismiss } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/** The error, which stays until it is dismissed. */
export const errorNotice = () => (banner.error ? html`<span>${banner.error}</span>
  <button class="quiet" aria-label="Dismiss" @click=${() => complain(null)}>\u2715</button>` : nothing);

/** The notice, with what takes back that which it tells. */
export function notice() {
  if (!banner.notice) return nothing;
  const undo = () => {
    banner.undo?.();
    dismiss();
  };
  return html`<span>${banner.notice}</span>
    ${banner.undo ? html`<button id="take-back" @click=${undo}>Bring it back</button>` : nothing}`;
}
