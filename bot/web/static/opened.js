// Runs that the user has brought into the page: files of moves, and journals from anywhere.

import { chosen, open } from "./address.js";
import { change } from "./store.js";

/** @import { Run } from "./api.js" */

/** These runs by name, until the page closes. @type {Map<string, Run>} */
export const openedRuns = new Map();

/**
 * Show a run that is not in the server's folder.
 * @param {Run} run
 */
export function openRun(run) {
  openedRuns.set(run.name, run);
  Object.assign(chosen, { run: run.name, game: "" });
  open("games");
  change();
}
