// The panel of Games: lists of all runs, of which the chosen one is open; and how its run stands.

import { $ } from "../dom.js";
import { reviewOf } from "../evaluator.js";
import { button, scoresToggle } from "../fields.js";
import { openDialog } from "../import.js";
import {
  counted, describeMove, gameButton, gameTitle, isMet, isRunning, streakText, whenBegun,
} from "../journals.js";
import { mistakesPanel } from "../lessons.js";
import { live } from "../live.js";
import { openedRuns } from "../opened.js";
import { isProjector, toggleProjector } from "../projector.js";
import { room } from "../room.js";
import { runs } from "../runs.js";
import { copy } from "../share.js";
import { html, nothing } from "../vendor/lit-html.js";
import { games } from "./games.js";

/** @import { Run, RunSummary } from "../api.js" */

/** Most dots of a streak; of a higher goal, each dot stands for several games. */
const MAX_DOTS = 40;
/** The lists of games in their order. */
const LISTS = /** @type {const} */ (["live", "yours", "journals"]);
/** What is said of a run by how it ended. @type {Record<string, string>} */
const STATES = {
  silent: "Silent for a while: it is waiting for its server, or was killed.", finished: "The run has ended.",
  interrupted: "The run was interrupted.", error: "The run ended with an error.", "broken off": "The run broke off.",
};

/** The lists of games, where there are several. */
export function gamesSegments() {
  const titles = { live: live.isRunning ? "Live" : "Last run", yours: "Yours", journals: "Journals" };
  const shown = { live: live.run, yours: runs.own, journals: !room.isSpectator || others().length };
  const { isKnown } = live, isOffered = (/** @type {keyof typeof shown} */ list) => !isKnown || Boolean(shown[list]);
  if (LISTS.filter(isOffered).length < 2) return nothing;
  // None moves when the server has said which there are: a press must not meet another one.
  return html`<nav id="segments" aria-label="Lists of games">${LISTS.map((list) =>
    html`<button id=${`list-${list}`} aria-current=${list === runs.list ? "true" : nothing}
      ?disabled=${!isKnown} ?hidden=${!isOffered(list)}
      @click=${() => games.open(list)}>${titles[list]}</button>`)}</nav>`;
}

export function gamesPanel() {
  const { list } = runs, { game, run } = games;
  if (games.guide.isActive) return nothing;
  if (list === "journals") return html`${movePart()}${journalsPart()}`;
  return html`${movePart()}
    <div class="part">${chosenRun(run)}</div>
    ${list === "yours" && game.isOver ? html`<div class="part">
      ${mistakesPanel(game, reviewOf(game.main))}</div>` : nothing}
    ${list === "live" && room.link ? roomPart() : nothing}`;
}

/** What the journal says of the move on the board. */
function movePart() {
  const { game: { record, moves, at }, mayScore } = games, notes = record ? [...record.notes, ...record.problems] : [];
  return html`${record ? html`<p id="game-about" class="about">${describeMove(record, moves, at)}</p>` : nothing}
    ${notes.length ? html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>` : nothing}
    ${mayScore ? scoresToggle() : nothing}`;
}

/** Opened files and journals; the one that follows the server's run has a list of its own. */
const others = () => [...openedRuns.values(),
  ...(runs.journals ?? []).filter(({ name }) => name !== live.run?.name && !openedRuns.has(name))];

/** These runs; the chosen one is open. */
function journalsPart() {
  const { journals, problem, name } = runs, all = others(), open = all.findIndex((run) => run.name === name) + 1;
  const rows = (/** @type {RunSummary[]} */ some) => (some.length ? html`<ul class="list">${some.map((run) =>
    html`<li>${row(run)}</li>`)}</ul>` : nothing);
  return html`<div class="part">
    ${rows(all.slice(0, open))}${open ? chosenRun(runs.current) : nothing}${rows(all.slice(open))}
    ${journals ? nothing : html`<p class="about" role="status">${problem || "Loading the journals\u2026"}</p>`}
    ${journals && !all.length ? html`<p class="about">${room.isSpectator ? "Games appear here while they are played."
      : html`Start <code>python -m bot play</code> in another terminal: its games appear here.`}</p>` : nothing}
    ${room.isSpectator ? nothing : html`<div class="row">
      ${button("Open\u2026", openDialog, { id: "open", isSmall: true })}</div>`}</div>`;
}

/** @param {RunSummary} run */
function row(run) {
  const { name, engine, error, damaged } = run;
  const [title, detail] = openedRuns.has(name) ? [name, engine] : [engine, whenBegun(run)];
  if (error) {
    return html`<button disabled><b>${name}</b><span class="about">damaged</span><small>${error}</small></button>`;
  }
  return html`<button data-run=${name} aria-current=${name === runs.name ? "true" : nothing}
    @click=${() => games.choose(name)}><b>${title}</b>
    <span class="about">${counted(run)}</span>
    <small>${detail}${damaged ? ", with damaged lines" : ""}</small></button>`;
}

/**
 * The chosen run: how it stands, and its games.
 * @param {Run | null} run  null until it is loaded
 */
function chosenRun(run) {
  const { problem } = runs;
  if (!run) return problem ? html`<p class="about" role="status">${problem}</p>` : nothing;
  return html`${run.server ? runState(run) : nothing}
    <div id="games" class=${`games ${run.server ? "" : "rows"}`}>${run.all.map((record) =>
      gameButton(record, games.shows(record), () => {
        games.view(record);
        $("board").scrollIntoView({ block: "nearest" });
      }))}</div>`;
}

/**
 * How a run stands: whatever is said here is of the run, not of the game on the board.
 * @param {Run} run
 */
function runState(run) {
  const { engine, player, server, end, verdict, streak, goal, all } = run, newest = all.at(-1);
  const state = newest?.result === null ? `, move ${newest.moves.length + 1}` : " is over";
  const now = newest ? gameTitle(run, newest.number).toLowerCase() + state : "no game yet";
  const place = server === "embedded" ? "the embedded server" : server, who = player ? `, playing as ${player},` : "";
  const earlier = run.met && streak < goal ? "Earlier: " : "";
  const witness = run.by ? " The streak is counted by the journals." : "";
  return html`${isMet(run) ? html`<p class="run-verdict good">${verdict || streakText(run)}</p>` : nothing}
    <p class="run-score about">${counted(run)} in this run.${witness}
      <span class="run-state">${STATES[end] ?? `The run: ${now}.`}</span></p>
    <details class="more"><summary>About this run</summary>
      <p class="run-about about">${engine}${who} at ${place}.</p>
      ${verdict && !isMet(run) && !isRunning(run) ? html`<p class="run-verdict about">${earlier}${verdict}</p>`
        : nothing}</details>`;
}

/** The way in for spectators. */
function roomPart() {
  const take = () => copy(room.link, "The link for spectators is copied.");
  return html`<div class="part" id="room"><h3>For the class</h3>
    <p>${room.link.includes("//127.") ? "Only this computer" : "Everyone in the room"} can watch at this
      address. <span id="room-count">${room.watching}
      ${room.watching === 1 ? "spectator is" : "spectators are"} watching.</span></p>
    <p id="room-link">${room.link}</p>
    <div class="row">${button("Copy the link for spectators", take, { id: "room-copy", isSmall: true })}</div></div>`;
}

/** The game on the board among those of its run, and the run's streak as dots: all are lit when the goal is reached. */
export function standing() {
  const { record } = games.game, run = games.run, isShown = record ? games.shows(record) : live.isRunning;
  if (!run?.server || !isShown) return isProjector() ? leave() : nothing;
  const { streak, goal } = run, count = Math.min(goal, MAX_DOTS), lit = Math.floor((streak * count) / goal);
  const isReached = live.isReached && run === live.run;
  return html`<p class="standing-text">${record ? gameTitle(run, record.number) : "No game yet"}</p>
    <p class="standing-score">${streakText(run)}</p>
    <div class=${`streak ${isReached ? "reached" : ""}`} role="img"
      aria-label=${`${streakText(run)}: games in a row without a loss`}>${
      Array.from({ length: count }, (_, index) => html`<i class=${index < lit ? "on" : ""}></i>`)}</div>
    ${isProjector() ? html`<p class="standing-score">${counted(run)} in this run</p>
      ${room.link ? html`<p id="projector-link">${room.link}</p>` : nothing}${leave()}` : nothing}`;
}

const leave = () => html`<button id="projector-end" class="quiet" aria-label="Leave the projector"
  @click=${toggleProjector}>\u2715</button>`;
