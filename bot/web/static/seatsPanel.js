// The set-up of the next game: who plays yellow and red, the ladder of levels, who starts, and the clock.

import { button, choice, number, segments, toggle } from "./fields.js";
import { beaten } from "./own.js";
import { COLOURS } from "./rules.js";
import {
  COURSE_BOT, FIRST_LEVEL, YOU, aboutLevel, agentOf, isPerson, levelNumber, offer,
} from "./seats.js";
import { RANGES, set, settings } from "./settings.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Seat } from "./seats.js" */

/** Names of the engine's own programs; all others belong to the laboratory. */
const ENGINE = ["perfect", "proof+perfect", "mtdf", "alphabeta", "depth", "random"];
/** What a program's number is called; other programs only take a limit to their depth. */
const NUMBERS = new Map([["depth", "Moves it looks ahead"], ["playouts", "Games it tries for a move"]]);
const CLOCKS = /** @type {const} */ ([[0, "none"], [60, "1 minute"], [180, "3 minutes"], [300, "5 minutes"],
  [600, "10 minutes"]]);
const KINDS = /** @type {const} */ ([["you", "You"], ["level", "Level"], ["agent", "Program"]]);

/** The form; what is chosen holds from the next game on. */
export function seatsPanel() {
  const { seats, clock_s, isSideRandom } = settings, hasPerson = seats.some(isPerson);
  return html`<div id="setup" class="form">
    ${seats.map((seat, side) => seatFields(seat, side))}
    ${seats.every(isPerson) ? html`<div class="pair">${[0, 1].map(nameField)}</div>` : nothing}
    <div class="row">${button("Swap sides", swapSides, { id: "swap-seats", isSmall: true })}
      ${toggle("Random side", isSideRandom, (isOn) => set({ isSideRandom: isOn }))}</div>
    ${hasPerson ? choice("Clock for people", clock_s, CLOCKS, (value) => set({ clock_s: value })) : nothing}
    ${seats.some(({ kind }) => kind === "agent") ? agentTerms() : nothing}
  </div>`;
}

/** Let yellow and red change places, people with their names. */
export function swapSides() {
  const { seats: [yellow, red], people } = settings;
  set({ seats: [red, yellow], people: [...people].reverse() });
}

/** @param {number} side */
function nameField(side) {
  const take = (/** @type {Event} */ { target }) => {
    const name = /** @type {HTMLInputElement} */ (target).value.trim();
    set({ people: settings.people.map((one, index) => (index === side ? name : one)) });
  };
  return html`<label>${COLOURS[side]}'s name <input maxlength="20" autocomplete="off" spellcheck="false"
    placeholder=${COLOURS[side]} .value=${settings.people[side]} @change=${take}></label>`;
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
    ${seat.kind === "level" ? ladder(seat, side, put) : nothing}
    ${seat.kind === "agent" ? agentFields(seat, put) : nothing}
  </div>`;
}

/**
 * @param {string} agent
 * @returns {Seat}
 */
const agentSeat = (agent) => ({ kind: "agent", agent, depth: null, options: "" });

/**
 * The ladder: all levels, of which the beaten ones are marked.
 * @param {Extract<Seat, {kind: "level"}>} seat
 * @param {number} side
 * @param {(seat: Seat) => void} put
 */
function ladder(seat, side, put) {
  const chosen = levelNumber(seat), done = beaten();
  return html`<div class="ladder" role="radiogroup" aria-label="Level">${offer.levels.map(({ number: one, name }) =>
    html`<label><input type="radio" name=${`level-${side}`} value=${one} .checked=${one === chosen}
      @change=${() => put({ kind: "level", level: one })}>
      <span>${one} ${name}${done.has(one) ? html` <b class="beaten" aria-label="beaten">\u2713</b>` : nothing}</span>
      </label>`)}</div>
    <p class="about">${aboutLevel(chosen)}</p>`;
}

/**
 * The controls that choose an program, its number and its options.
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
  const called = agent?.depth === null ? "Most moves it looks ahead" : NUMBERS.get(agent?.number ?? "") ?? "Number";
  const range = { min: 1, max: agent?.deepest ?? 42, placeholder: String(agent?.depth ?? "none") };
  return html`<label>Program
      <select @change=${choose}>${group("This project's engine", true)}
        ${group("Other programs", false)}</select></label>
    <p class="about">${agent ? `${agent.about[0].toUpperCase()}${agent.about.slice(1)}${listed}.`
      : `This page has no program called ${seat.agent}.`}</p>
    ${number(called, seat.depth, range, (depth) => put({ ...seat, depth: depth && Math.round(depth) }))}
    ${agent?.options.length ? html`<label>Options <input maxlength="100" spellcheck="false" .value=${seat.options}
      placeholder=${`${agent.options[0]}=\u2026`} @change=${type}></label>` : nothing}`;
}

/** On what terms programs play. */
function agentTerms() {
  const { think_s, isVaried } = settings, [min, max] = RANGES.think_s;
  return html`
    ${number("Seconds a program may think", think_s, { min, max, step: 0.1 },
      (value) => set({ think_s: value ?? think_s }))}
    ${toggle("Programs vary among equally good moves", isVaried, (isOn) => set({ isVaried: isOn }))}`;
}
