// Spectators: what they may see of the page, and the link that its owner shows them.

import { get } from "./api.js";
import { $, all } from "./dom.js";
import { store } from "./store.js";

/** @import { Page } from "./app.js" */

/** The views that only read. */
export const READING = ["watch", "replay"];
/** Time between two looks at the number of spectators, milliseconds. */
const LOOK_MS = 5000;

/**
 * Ask the server who we are; for spectators, leave only what they can use. Return whether we are one.
 * @param {Page} page
 */
export async function enterRoom(page) {
  const { spectator, link } = await get("/api/room");
  document.body.classList.toggle("spectator", spectator);
  if (spectator) {
    for (const tab of all("[role=tab]")) tab.hidden = !READING.includes(tab.dataset.view ?? "");
    if (!READING.includes(store.view)) store.view = "watch";
    store.analyse = "";
  }
  $("room").hidden = !link;
  if (link) showLink(page, link);
  return spectator;
}

/**
 * @param {Page} page
 * @param {string} link
 */
function showLink(page, link) {
  $("room-link").textContent = link;
  $("room-copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(link);
    page.notify("The link for spectators is copied.");
  });
  const look = async () => {
    if (document.hidden || store.view !== "watch") return;
    try {
      const { watching } = await get("/api/room");
      $("room-count").textContent = `${watching} ${watching === 1 ? "spectator is" : "spectators are"} watching.`;
    } catch { /* the views say that the server is away */ }
  };
  setInterval(look, LOOK_MS);
  look();
}
