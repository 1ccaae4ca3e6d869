// The set-up of the next game: who sits at yellow and red, who starts, and the clock.

import { button, choice, number, segments, toggle } from "./fields.js";
import { aboutLevel, agentOf, levelOf, offer } from "./opponents.js";
import { COLOURS } from "./rules.js";
import { COURSE_BOT, FIRST_LEVEL, YOU, isPerson } from "./seats.js";
import { RANGES, set, settings } from "./settings.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Seat } from "./seats.js" */

/** Names of the engine's own agents; all others belong to the laboratory. */
const ENGINE = ["perfect", "proof+perfect", "mtdf", "alphabeta", "depth", "random"];
/** What an agent's number is called; other agents only take a limit to their depth. */
const NUMBERS = new Map([["depth", "Depth, plies"], ["playouts", "Playouts per move"]]);
const CLOCKS = /** @type {const} */ ([[0, "none"], [60, "1 minute"], [180, "3 minutes"], [300, "5 minutes"],
  [600, "10 minutes"]]);
const PACES = /** @type {const} */ ([[450, "0.5 s"], [100, "0.1 s"], [0, "none"]]);
const KINDS = /** @type {const} */ ([["you", "You"], ["level", "Level"], ["agent", "Agent"]]);

/** The form; what is chosen holds from the next game on. */
export function seatsPanel() {
  const { seats, clock_s, isSideRandom } = settings, arePeople = seats.map(isPerson);
  const swap = () => set({ seats: [seats[1], seats[0]] });
  return html`<div id="setup" class="form">
    ${seats.map((seat, side) => seatFields(seat, side))}
    <div class="row">${button("Swap sides", swap, { id: "swap-seats", isSmall: true })}
      ${toggle("Chance decides who starts", isSideRandom, (isOn) => set({ isSideRandom: isOn }))}</div>
    ${arePeople.includes(true) ? choice("Clock of each person", clock_s, CLOCKS, (value) => set({ clock_s: value }))
      : nothing}
    ${seats.some(({ kind }) => kind === "agent") ? agentTerms(arePeople.includes(true)) : nothing}
  </div>`;
}

/**
 * Who sits at a colour.
 * @param {Seat} seat
 * @param {number} side
 */
function seatFields(seat, side) {
  const put = (/** @type {Seat} */ other) => {
    const [yellow, red] = settings.seats;
    set({ seats: side ? [yellow, other] : [other, red] });
  };
  const seatOf = { you: YOU, level: FIRST_LEVEL, agent: agentSeat(side ? COURSE_BOT : "perfect") };
  return html`<div class="seat">
    ${segments(COLOURS[side], seat.kind, KINDS, (kind) => put(seatOf[kind]))}
    ${seat.kind === "level" ? levelSlider(seat.level, side, put) : nothing}
    ${seat.kind === "agent" ? agentFields(seat, put) : nothing}
  </div>`;
}

/**
 * @param {string} agent
 * @returns {Seat}
 */
const agentSeat = (agent) => ({ kind: "agent", agent, depth: null, options: "" });

/**
 * The slider that chooses a level.
 * @param {number} number  0: the level that is offered first
 * @param {number} side
 * @param {(seat: Seat) => void} put
 */
function levelSlider(number, side, put) {
  const level = levelOf(number), name = level ? `${level.number}: ${level.name}` : "\u2026";
  const slide = (/** @type {Event} */ { target }) =>
    put({ kind: "level", level: Number(/** @type {HTMLInputElement} */ (target).value) });
  return html`<label class="pairs" for=${`level-${side}`}><span>Level</span> <span class="level-name">${name}</span>
    </label>
    <input type="range" class="level" id=${`level-${side}`} min="1" max=${offer.levels.length || 10} @input=${slide}
      .value=${String(level?.number ?? 1)} aria-valuetext=${name}>
    <p class="about">${aboutLevel(number)}</p>`;
}

/**
 * The controls that choose an agent, its number and its options.
 * @param {Extract<Seat, {kind: "agent"}>} seat
 * @param {(seat: Seat) => void} put
 */
function agentFields(seat, put) {
  const agent = agentOf(seat.agent), listed = agent?.options.length ? `; options: ${agent.options.join(", ")}` : "";
  const group = (/** @type {string} */ label, /** @type {boolean} */ isEngine) => html`<optgroup label=${label}>
    ${offer.agents.filter(({ name }) => name !== "level" && ENGINE.includes(name) === isEngine).map(({ name }) =>
      html`<option value=${name} .selected=${name === seat.agent}>${name}</option>`)}</optgroup>`;
  const choose = (/** @type {Event} */ { target }) => put(agentSeat(/** @type {HTMLSelectElement} */ (target).value));
  const type = (/** @type {Event} */ { target }) =>
    put({ ...seat, options: /** @type {HTMLInputElement} */ (target).value.trim() });
  const called = agent?.depth === null ? "Depth limit, plies" : NUMBERS.get(agent?.number ?? "") ?? "Number";
  const range = { min: 1, max: agent?.deepest ?? 42, placeholder: String(agent?.depth ?? "none") };
  return html`<label>Agent
      <select @change=${choose}>${group("Engine", true)}${group("Laboratory", false)}</select></label>
    <p class="about">${agent ? `${agent.about[0].toUpperCase()}${agent.about.slice(1)}${listed}.`
      : `This page has no agent called ${seat.agent}.`}</p>
    ${number(called, seat.depth, range, (depth) => put({ ...seat, depth: depth && Math.round(depth) }))}
    ${agent?.options.length ? html`<label>Options <input maxlength="100" spellcheck="false" .value=${seat.options}
      placeholder=${`${agent.options[0]}=\u2026`} @change=${type}></label>` : nothing}`;
}

/**
 * On what terms agents play.
 * @param {boolean} hasPerson
 */
function agentTerms(hasPerson) {
  const { think_s, isVaried, pace_ms } = settings, [min, max] = RANGES.think_s;
  return html`<div class="pair">
    ${number("Agents' time a move, s", think_s, { min, max, step: 0.1 }, (value) => set({ think_s: value ?? think_s }))}
    ${hasPerson ? nothing : choice("Pause after a move", pace_ms, PACES, (value) => set({ pace_ms: value }))}</div>
    ${toggle("Agents choose at random among equal moves", isVaried, (isOn) => set({ isVaried: isOn }))}`;
}
