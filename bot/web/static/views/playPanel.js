// The panel of Play: the set-up before a game, unfinished games, and after a game what made it end so.

import { reviewOf } from "../evaluator.js";
import { button, scoresToggle } from "../fields.js";
import { withHints } from "../game.js";
import { letOff } from "../guide.js";
import { mistakesPanel, spoken } from "../lessons.js";
import { beaten, standing, waitingGames } from "../own.js";
import { aboutLevel, isPerson, levelNumber, writeSeat } from "../seats.js";
import { seatsPanel } from "../seatsPanel.js";
import { settings } from "../settings.js";
import { openSharing } from "../share.js";
import { study } from "../study.js";
import { giveUp } from "../table.js";
import { html, nothing } from "../vendor/lit-html.js";
import { play } from "./play.js";

export function playPanel() {
  const { game, guide } = play;
  if (guide.isShown && guide.isActive) return nothing;
  if (!game.main.length) {
    return html`<p class="about">${isPerson(play.seats[0]) ? "Drop a disc to begin." : "Press Start to begin."}</p>
      <div class="part">${seatsPanel()}${command()}</div>${waiting()}`;
  }
  return html`${game.isOver ? over() : playing()}
    ${waiting()}
    <details class="more" id="next-game"><summary>Set up the next game</summary>
      <p class="about">What you choose here holds from the next game on.</p>${seatsPanel()}</details>`;
}

/** While a game is played. */
const playing = () => html`<div class="part">
  ${play.seats.map((seat) => (seat.kind === "level" ? html`<p class="about">${aboutLevel(seat.level)}</p>` : nothing))}
  ${score()}${play.mayScore ? scoresToggle() : nothing}</div>`;

/** At the end of a game: joy, why it ended so, where it could be turned around, and how many mistakes there were. */
function over() {
  const { game, chance, opponent } = play, review = reviewOf(game.main);
  const isLost = game.result?.winner === 1 - (game.side ?? -1);
  const name = game.side === null ? "" : game.names[1 - game.side];
  return html`<div id="ending" class="part">
    ${play.hasWon && opponent.kind === "level" ? joy(levelNumber(opponent), name) : nothing}
    ${why()}
    ${isLost && chance === null && review ? html`<p class="about" role="status">Looking for the move at which ${name}
      would have let you off\u2026</p>` : nothing}
    ${chance?.ply != null ? html`<p id="turn-text">${letOff(chance, name)}</p>` : nothing}
    ${game.hints && !play.hasWon ? html`<p class="about">Played${withHints(game).slice(1)}.</p>` : nothing}
    ${score()}${mistakesPanel(game, review)}
    <div class="row">${button("Study this game", () => study(game), { id: "study", isSmall: true })}
      ${button("Share\u2026", openSharing, { id: "share", isSmall: true })}</div></div>`;
}

/**
 * What a win against a level is worth.
 * @param {number} level
 * @param {string} name
 */
function joy(level, name) {
  const isBeaten = beaten().has(level), left = 10 - beaten().size;
  const rest = left ? `${left} of 10 levels to go.` : "You have beaten all ten levels.";
  return isBeaten ? html`<p id="joy" class="good"><b>\u2713 ${name} is beaten.</b> ${rest}</p>`
    : html`<p id="joy" class="good"><b>Well played${withHints(play.game)}.</b> A whole game without hints beats
      the level.</p>`;
}

/** What made the game end so: the plainest mistake of the side that did not win. */
function why() {
  const { game, guide } = play, { winner = null } = game.result ?? {}, review = reviewOf(game.main);
  if (winner === null || !review) return nothing;
  const [ply] = review.moments[1 - winner], lesson = guide.lessonOn(ply ?? null);
  const nothingSeen = `${game.names[1 - winner]} made no mistake that is easy to see.`;
  return html`<p id="why">${lesson ? `Move ${ply + 1}. ${spoken(lesson.text, game.you)}` : nothingSeen}</p>`;
}

/** How two people stand in the games that they have played one after the other. */
function score() {
  const { game } = play, [one, other] = game.names;
  if (!play.seats.every(isPerson)) return nothing;
  const [won, lost] = standing(game.names);
  return html`<p id="standing-people"><b>${one} ${won} : ${lost} ${other}</b></p>`;
}

/** The unfinished games: all but the one on the board. */
function waiting() {
  const games = waitingGames().filter(({ id }) => id !== play.game.id);
  if (!games.length) return nothing;
  return html`<div class="part" id="waiting"><h3>Unfinished games</h3><ul class="list">${games.reverse().map((one) => {
    const title = `${one.names.join(" \u2013 ")}${one.origin ? ", turned around" : ""}`;
    return html`<li><button @click=${() => play.resume(one.id)}><span>${title}</span>
      <span class="about">${one.main.length} moves</span></button>
      <button class="quiet" aria-label=${`Give up ${title}`} @click=${() => giveUp(one.id)}>\u2715</button></li>`;
  })}</ul></div>`;
}

/** The command that plays many games of two programs. */
function command() {
  const names = settings.seats.map(writeSeat);
  return settings.seats.some(isPerson) ? nothing
    : html`<p class="about">Many games: <code>bot match ${names[0]} ${names[1]}</code></p>`;
}
