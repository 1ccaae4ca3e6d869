// All views in order, and the place in which each is found. Places, segments and what is offered derive from this list.

import { agent, agentPanel, agentVerdict } from "./views/agent.js";
import { games, gamesPanel, gamesSegments, standing } from "./views/games.js";
import { play } from "./views/play.js";
import { playPanel } from "./views/playPanel.js";
import { proof, proofPanel } from "./views/proof.js";
import { puzzles, puzzlesPanel, puzzlesSegments } from "./views/puzzles.js";
import { scores, scoresPanel } from "./views/scores.js";

/** @import { View } from "./view.js" */

/**
 * `title`: of the segment, where a place has several views; `lead`: what stands first in the panel, in place of these
 * segments; `standing`: what is drawn above the panel.
 * @typedef {{model: View, panel: () => unknown, title?: string, place: string, standing?: () => unknown,
 *   lead?: () => unknown}} Entry
 */

/** @type {Entry[]} */
export const registry = [
  { model: play, panel: playPanel, place: "Play" },
  { model: puzzles, panel: puzzlesPanel, place: "Puzzles", lead: puzzlesSegments },
  { model: scores, panel: scoresPanel, title: "Scores", place: "Study" },
  { model: proof, panel: proofPanel, title: "Proof", place: "Study" },
  { model: games, panel: gamesPanel, place: "Games", standing, lead: gamesSegments },
  { model: agent, panel: agentPanel, place: "Agent", lead: agentVerdict },
];
