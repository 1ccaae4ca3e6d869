// Agents and levels: what the server offers, how they are called, and the controls that choose them.

import { get } from "./api.js";
import { number } from "./fields.js";
import { writeMoves } from "./rules.js";
import { change, store } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Agent, Level } from "./api.js" */

/** Names of the engine's own agents; all others belong to the laboratory. */
const ENGINE = ["level", "perfect", "proof+perfect", "mtdf", "alphabeta", "depth", "random"];
/** The course's own bot, whose name and depth are written without a colon. */
const COURSE_BOT = "depth";
/** What an agent's number is called; other agents only take a limit to their depth. */
const NUMBERS = new Map([["depth", "Depth, plies"], ["playouts", "Playouts per move"], ["level", "Level"]]);
/** Settings that hold an agent's name, and those of its number and options. */
const PARTS = new Map([["agent", ["depth", "options"]], ["a", ["adepth", "aoptions"]], ["b", ["bdepth", "boptions"]]]);

/** @type {Agent[]} */
let agents = [];
/** @type {Level[]} */
let levels = [];
/** The level that the server offers first. */
let first = 1;

/** Load the agents and levels; a setting that names no agent becomes "perfect". */
export async function loadOpponents() {
  agents = await get("/api/agents");
  ({ levels, default: first } = await get("/api/levels"));
  for (const field of PARTS.keys()) if (!agentOf(store[field])) change({ [field]: "perfect" });
}

/** @param {string} name */
export const agentOf = (name) => agents.find((agent) => agent.name === name);

/** Return the number of the level on the slider, as text. */
export const levelNumber = () => store.level || String(first);

/** Return the level that is chosen; null if the opponent is another agent. */
const chosenLevel = () =>
  (store.agent === "level" ? levels.find(({ number: one }) => String(one) === levelNumber()) ?? null : null);

/** Return the opponent's name as people say it. */
export function opponentName() {
  const level = chosenLevel();
  return level ? `${level.name} (level ${level.number})` : agentOf(store.agent)?.name ?? store.agent;
}

/**
 * Return the agent of a setting with its number and options; `name` is the one that commands take: `uct:1000`.
 * @param {string} field
 */
export function playerOf(field) {
  const [depth, options] = (PARTS.get(field) ?? []).map((part) => store[part]), agent = store[field];
  const known = agentOf(agent), own = known?.depth ?? null;
  const given = known?.options.length && options ? `,${options}` : "";
  const name = own === null ? agent : `${agent}${agent === COURSE_BOT ? "" : ":"}${depth || own}${given}`;
  return { name, agent, depth, options };
}

/**
 * Return the settings that a change of `field` makes meaningless: another agent's number and options.
 * @param {string} field
 */
export const cleared = (field) => Object.fromEntries((PARTS.get(field) ?? []).map((part) => [part, ""]));

/** The slider that chooses a level. */
export function levelSlider() {
  const level = chosenLevel();
  const name = level ? `${level.number}: ${level.name}` : "another agent, see below";
  const choose = (/** @type {Event} */ { target }) =>
    change({ level: /** @type {HTMLInputElement} */ (target).value, agent: "level" });
  return html`<label for="level" class="pairs"><span>Level</span> <span id="level-name">${name}</span></label>
    <input type="range" id="level" min="1" max=${levels.length || 10} .value=${levelNumber()} @input=${choose}
      class=${level ? "" : "unused"} aria-valuetext=${name}>
    <p class="about" id="level-about">${level ? `It ${level.about}.` : "Move the slider to play a level again."}</p>`;
}

/**
 * The controls that choose an agent, its number and its options.
 * @param {string} field
 */
export function agentFields(field) {
  const agent = agentOf(store[field]), [depth, options] = PARTS.get(field) ?? [];
  const isOnSlider = field === "agent" && agent?.name === "level";
  const listed = agent?.options.length ? `; options: ${agent.options.join(", ")}` : "";
  const about = isOnSlider ? "The level of the slider above."
    : agent ? `${agent.about[0].toUpperCase()}${agent.about.slice(1)}${listed}.` : "";
  const group = (/** @type {string} */ label, /** @type {boolean} */ isEngine) => html`<optgroup label=${label}>
    ${agents.filter(({ name }) => ENGINE.includes(name) === isEngine).map(({ name }) =>
      html`<option value=${name} .selected=${name === store[field]}>${name}</option>`)}</optgroup>`;
  const called = agent?.depth === null ? "Depth limit, plies" : NUMBERS.get(agent?.number ?? "") ?? "Number";
  return html`<label>Agent <select data-field=${field}>${group("Engine", true)}${group("Laboratory", false)}</select>
    </label>
    <p class="about">${about}</p>
    ${isOnSlider ? nothing
      : number(called, depth, { min: 1, max: agent?.deepest ?? 42, placeholder: String(agent?.depth ?? "none") })}
    ${agent?.options.length ? html`<label>Options
      <input data-field=${options} maxlength="100" spellcheck="false" placeholder=${`${agent.options[0]}=\u2026`}
        .value=${store[options]}></label>` : nothing}`;
}

/**
 * Whether an agent can choose at random among equal moves.
 * @param {string} name
 */
export const hasChance = (name) => agentOf(name)?.chance ?? false;

/**
 * Return the body of a request to /api/move.
 * @param {number[]} moves
 * @param {{agent: string, depth: string, options: string}} player
 * @param {string} game  by which the server tells this game from others of the same agent
 */
export const moveRequest = (moves, { agent, depth, options }, game) => ({
  moves: writeMoves(moves), agent, depth: depth ? Math.round(Number(depth)) : null,
  options: agentOf(agent)?.options.length ? options : "",
  time_s: Number(store.time) || 2, random: store.fixed !== "1", game,
});
