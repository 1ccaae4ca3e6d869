// The projector: names, board and streak alone, in large type, for the last row of a room.

import { $ } from "./dom.js";
import { change } from "./store.js";

/** Whether the projector's layout is shown. */
export const isProjector = () => document.body.classList.contains("projector");

/** Show the projector's layout, or leave it. */
export function toggleProjector() {
  document.body.classList.toggle("projector");
  if (!isProjector()) $("ribbon").focus({ preventScroll: true });
  change();
}
