// Spectators: whether this page is one's, and for its owner the link; the projector.

import { get } from "./api.js";
import { $, change } from "./store.js";

/** Who we are for the server. `link` is the owner's, "" where the page is not shown to others, and `code` its picture. */
export const room = { isSpectator: false, link: "", code: "" };

/** Ask the server who we are. */
export async function enterRoom() {
  const { spectator, link, code } = await get("/api/room");
  Object.assign(room, { isSpectator: spectator, link: link ?? "", code });
  document.body.classList.toggle("spectator", spectator);
  change();
}

/** Whether the projector's layout is shown: names, board and streak alone, for the last row of a room. */
export const isProjector = () => document.body.classList.contains("projector");

/** Show the projector's layout, or leave it. */
export function toggleProjector() {
  document.body.classList.toggle("projector");
  if (!isProjector()) $("ribbon").focus({ preventScroll: true });
  change();
}
