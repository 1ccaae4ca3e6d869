// Spectators: whether this page is one's, and for its owner the link and how many are watching.

import { get } from "./api.js";
import { change } from "./store.js";

/** Who we are for the server. `link` is the owner's, "" where the page is not shown to others. */
export const room = { isSpectator: false, link: "", watching: 0 };

/** Ask the server who we are, and how many spectators are watching. */
export async function enterRoom() {
  const { spectator, link, watching } = await get("/api/room");
  Object.assign(room, { isSpectator: spectator, link: link ?? "", watching });
  document.body.classList.toggle("spectator", spectator);
  change();
}
