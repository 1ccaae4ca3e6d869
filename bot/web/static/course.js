// The way from a key moment to the lesson that fits.

import { html, nothing } from "./vendor/lit-html.js";

/** @import { Reason } from "./api.js" */

/** `wanted`: the kind of reason whose lesson Puzzles is to open next; "" for none. */
export const course = { wanted: "" };

/**
 * Return a link to the lesson on a reason; a game's own web page has none.
 * @param {Reason} reason
 */
export const lessonLink = ({ kind }) => (document.body.matches(".standalone") ? nothing
  : html`<p><a class="to-lesson" href="#view=puzzles" @click=${() => { course.wanted = kind; }}>Practise this in a
    lesson</a></p>`);
