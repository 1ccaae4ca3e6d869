// The panel of Play: the set-up before a game with the ladder of levels, and after a game what made it end so.

import { reviewOf } from "../evaluator.js";
import { button, number, scoresToggle, segments } from "../fields.js";
import { withHints } from "../game.js";
import { letOff, triesOf } from "../guide.js";
import { beaten, standing } from "../journals.js";
import { mistakesPanel, spoken } from "../lines.js";
import { play } from "./play.js";
import { COLOURS } from "../rules.js";
import { study } from "./scores.js";
import {
  COURSE_BOT, FIRST_LEVEL, LEAST_S, MOST_S, YOU, aboutLevel, agentOf, agentSeat, isLevel, isPerson, levelNumber, offer,
  readAgent, set, settings,
} from "../settings.js";
import { openSharing } from "../share.js";
import { firstGame, swapSides, turnAround } from "../table.js";
import { html, nothing } from "../vendor/lit-html.js";

/** @import { Game } from "../game.js" */
/** @import { Seat } from "../settings.js" */

export function playPanel() {
  const { game, guide } = play;
  if (guide.isShown && guide.isActive) return nothing;
  if (!game.main.length) {
    return html`<div class="part"><p id="rules" class="about">Drop discs in turn. The first to have four in a line wins:
      across, upwards or slanting. Press ${isPerson(play.seats[0]) ? "a column" : "Start"} to begin.</p>
      ${seatsPanel()}</div>`;
  }
  return html`${game.isOver ? over() : playing()}
    <details class="more" id="next-game" @toggle=${reveal}><summary>Set up the next game</summary>
      <p class="about">What you choose here holds from the next game on.</p>${seatsPanel()}</details>`;
}

/** Bring a fold that was opened into view. @param {{target: HTMLElement}} event */
const reveal = ({ target }) => target.scrollIntoView({ block: "nearest" });

/** While a game is played. */
const playing = ({ game } = play) => html`<div class="part">
  ${game.first && game.main.length === game.start ? turns() : nothing}
  ${play.seats.filter(isLevel).map((seat) => html`<p class="about">${aboutLevel(levelNumber(seat))}</p>`)}
  ${score()}${play.mayScore ? scoresToggle() : nothing}</div>`;

/**
 * From where a lost game can be turned around: the start that a second try has, or else the key moment, with how often
 * that succeeds; and the other start.
 */
function turns() {
  const { game, chances } = play, start = game.first ? game.start : chances?.[0]?.ply;
  return (chances ?? []).map((chance) => (chance.ply === start ? html`<p id="turn-text">${letOff(chance)}</p>`
    : button(`From move ${chance.ply + 1}: saved in ${triesOf(chance.share)}`,
      () => turnAround(game, chance.ply), { id: "other-turn", isSmall: true })));
}

/** How a second try compares with the first game. */
function compared() {
  const { game, hasWon } = play, first = firstGame();
  if (!first) return nothing;
  const ended = (/** @type {Game} */ { result, main }) => (result?.winner === null ? "drawn"
    : `${result?.winner === game.side ? "won" : "lost"} at move ${main.length}`);
  return html`<p id="compared" class=${hasWon ? "good" : ""}>First game: ${ended(first)}.
    <b>Second try from move ${game.start + 1}${withHints(game)}: ${ended(game)}.</b></p>`;
}

/** At the end of a game: joy, why it ended so, where it could be turned around, and how many mistakes there were. */
function over() {
  const { game, guide, opponent } = play, review = reviewOf(game.main);
  const isLost = game.result?.winner === 1 - (game.side ?? -1);
  return html`<div id="ending" class="part">
    ${compared()}
    ${play.hasWon && isLevel(opponent) && !game.first ? joy() : nothing}
    ${guide.isShown ? nothing : why()}
    ${isLost ? turns() : nothing}
    ${score()}${mistakesPanel(game, review)}
    <div class="row">${button("Study this game", () => study(game), { id: "study", isSmall: true })}
      ${button("Share\u2026", openSharing, { id: "share", isSmall: true })}</div></div>`;
}

/** What a win against a level is worth. */
function joy() {
  const { game, opponent } = play, { judgedFrom, names, side } = game, done = beaten(), left = 10 - done.size;
  const rest = left ? `${left} of 10 levels to go.` : "You have beaten all ten levels.";
  const dots = offer.levels.map((one) => html`<i class=${done.has(one.number) ? "on" : ""}></i>`);
  if (!judgedFrom && done.has(levelNumber(opponent))) {
    return html`<p id="joy" class="good"><b>\u2713 ${names[1 - (side ?? 0)]} is beaten.</b> ${rest}</p>
      <div class="streak" aria-hidden="true">${dots}</div>`;
  }
  const why = judgedFrom ? `It does not count for the ladder, because this game began at move ${judgedFrom + 1}.`
    : "A whole game without hints beats the level.";
  return html`<p id="joy" class="good"><b>Well played${withHints(game)}.</b> ${why}</p>`;
}

/**
 * What made the game end so: of the side that did not win, since these players began, the mistake at which a second try
 * can begin, or else the plainest one.
 */
function why() {
  const { game, guide, chances } = play, { winner = null } = game.result ?? {}, review = reviewOf(game.main);
  if (winner === null) return nothing;
  if (!review || (chances === null && !game.first)) return html`<p class="about">Looking for the key moment\u2026</p>`;
  const moments = review.moments[1 - winner].filter((ply) => ply >= game.judgedFrom), start = chances?.[0]?.ply;
  const isStart = (/** @type {number} */ ply) => ply === start && !game.first;
  const remark = guide.remarkOn(moments.find(isStart) ?? moments[0] ?? null);
  if (!remark) return html`<p id="why">${game.names[1 - winner]} made no mistake that is easy to see.</p>`;
  return html`<p id="why" class="reason"><b>Key moment, move ${remark.ply + 1}.</b>
    ${spoken(remark.text, game.you)}</p>`;
}

/** How two people stand in the games that they have played one after the other. */
function score() {
  const { game } = play, [one, other] = game.names;
  if (!play.seats.every(isPerson)) return nothing;
  const [won, lost] = standing(game.names);
  return html`<p id="standing-people"><b>${one} ${won} : ${lost} ${other}</b></p>`;
}

/** What a program's number is called; other programs only take a limit to their depth. */
const NUMBERS = new Map([["depth", "Moves it looks ahead"], ["playouts", "Games it tries for a move"]]);
const KINDS = /** @type {const} */ ([[0, "You"], [1, "Level"], [2, "Program"]]);
/** The same where two people play. */
const PERSON = /** @type {const} */ ([[0, "Person"], ...KINDS.slice(1)]);

/** The form; what is chosen holds from the next game on. */
function seatsPanel() {
  const { seats } = settings, isPair = seats.every(isPerson);
  const names = html`<div class="pair">${[0, 1].map(nameField)}</div>`;
  return html`<div id="setup" class="form">
    <div class="row">${button("Swap sides", swapSides, { id: "swap-seats", isSmall: true })}
      ${button("Two people", () => set({ seats: [YOU, YOU] }), { id: "two-people", isSmall: true })}</div>
    ${seats.map((seat, side) => (isLevel(seat) ? ladder(seat, side) : nothing))}
    ${seats.map((seat, side) => seatFields(seat, side))}
    ${isPair ? names : nothing}
    ${seats.some(isAgent) ? number("Seconds a program may think", settings.think_s,
      { min: LEAST_S, max: MOST_S, step: LEAST_S }, (value) => set({ think_s: value ?? MOST_S })) : nothing}
  </div>`;
}

/** Whether a program plays there. */
const isAgent = (/** @type {Seat} */ seat) => !isPerson(seat) && !isLevel(seat);

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
 * Set who sits at a colour in the next game.
 * @param {number} side
 * @param {Seat} seat
 */
function seatAt(side, seat) {
  const [yellow, red] = settings.seats;
  set({ seats: side ? [yellow, seat] : [seat, red] });
}

/**
 * Who sits at a colour.
 * @param {Seat} seat
 * @param {number} side
 */
function seatFields(seat, side) {
  const put = (/** @type {Seat} */ other) => seatAt(side, other);
  const kind = [isPerson, isLevel, isAgent].findIndex((is) => is(seat));
  const first = [YOU, FIRST_LEVEL, side ? `${COURSE_BOT}3` : "perfect"];
  return html`<div class="seat">
    ${segments(COLOURS[side], kind, settings.seats.every(isPerson) ? PERSON : KINDS, (one) => put(first[one]))}
    ${isAgent(seat) ? agentFields(seat, put) : nothing}
  </div>`;
}

/**
 * The ladder: all levels, of which the beaten ones are marked.
 * @param {Seat} seat
 * @param {number} side
 */
function ladder(seat, side) {
  const chosen = levelNumber(seat), done = beaten(), mark = html` <b class="beaten" aria-label="beaten">\u2713</b>`;
  const rungs = offer.levels.map(({ number: one, name }) => html`<label>
    <input type="radio" name="level-${side}" value=${one} .checked=${one === chosen}
      @change=${() => seatAt(side, `level:${one}`)}>
    <span>${one} ${name}${done.has(one) ? mark : nothing}</span></label>`);
  return html`<div><h3>${settings.seats.some(isPerson) ? "Opponent" : COLOURS[side]}</h3>
    <div class="ladder" role="radiogroup" aria-label="Level of ${COLOURS[side]}">${rungs}</div>
    <p class="about">${COLOURS[side]}: ${aboutLevel(chosen)}</p></div>`;
}

/**
 * The controls that choose a program and its number.
 * @param {Seat} seat
 * @param {(seat: Seat) => void} put
 */
function agentFields(seat, put) {
  const parts = readAgent(seat), agent = agentOf(parts.agent);
  const listed = offer.agents.filter(({ name }) => name !== "level");
  const choose = (/** @type {Event} */ { target }) => put(/** @type {HTMLSelectElement} */ (target).value);
  const called = agent?.depth === null ? "Most moves it looks ahead" : NUMBERS.get(agent?.number ?? "") ?? "Number";
  const range = { min: 1, max: agent?.deepest ?? 42, placeholder: String(agent?.depth ?? "none") };
  const options = listed.map(({ name, title }) =>
    html`<option value=${name} .selected=${name === parts.agent}>${title}</option>`);
  const about = agent?.about ?? `this page has no program called ${parts.agent}`;
  return html`<label>Program <select @change=${choose}>${options}</select></label>
    <p class="about">${about[0].toUpperCase()}${about.slice(1)}.</p>
    ${number(called, parts.depth, range, (depth) => put(agentSeat({ ...parts, depth: depth && Math.round(depth) })))}`;
}
