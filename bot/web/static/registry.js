// All views in order, and the place in which each is found. Tabs, panels and what is offered derive from this list.

import { analysis } from "./views/analysis.js";
import { analysisPanel } from "./views/analysisPanel.js";
import { explorer } from "./views/explorer.js";
import { explorerPanel } from "./views/explorerPanel.js";
import { match } from "./views/match.js";
import { matchPanel } from "./views/matchPanel.js";
import { play } from "./views/play.js";
import { playPanel } from "./views/playPanel.js";
import { proof } from "./views/proof.js";
import { proofPanel } from "./views/proofPanel.js";
import { puzzles } from "./views/puzzles.js";
import { puzzlesPanel } from "./views/puzzlesPanel.js";
import { replay } from "./views/replay.js";
import { replayPanel } from "./views/replayPanel.js";
import { review } from "./views/review.js";
import { reviewPanel } from "./views/reviewPanel.js";
import { watch } from "./views/watch.js";
import { watchPanel } from "./views/watchPanel.js";

/** @import { View } from "./view.js" */

/**
 * @typedef {{model: View, panel: () => unknown, title: string, place: string}} Entry
 */

/** @type {Entry[]} */
export const registry = [
  { model: play, panel: playPanel, title: "Play", place: "Play" },
  { model: puzzles, panel: puzzlesPanel, title: "Puzzles", place: "Learn" },
  { model: review, panel: reviewPanel, title: "Review", place: "Learn" },
  { model: analysis, panel: analysisPanel, title: "Analysis", place: "Learn" },
  { model: explorer, panel: explorerPanel, title: "Explorer", place: "Learn" },
  { model: proof, panel: proofPanel, title: "Proof", place: "Learn" },
  { model: watch, panel: watchPanel, title: "Watch", place: "Runs" },
  { model: replay, panel: replayPanel, title: "Replay", place: "Runs" },
  { model: match, panel: matchPanel, title: "Two agents", place: "Agents" },
];
