// The panel of Play: the set-up before a game, what waits, and after a game how well both have played.

import { accuracyPanel } from "../accuracyPanel.js";
import { reviewOf } from "../evaluator.js";
import { button, scoresToggle } from "../fields.js";
import { aboutLevel } from "../opponents.js";
import { turnedAgainst, waitingGames } from "../own.js";
import { isPerson, writeSeat } from "../seats.js";
import { seatsPanel } from "../seatsPanel.js";
import { settings } from "../settings.js";
import { openSharing } from "../share.js";
import { study } from "../study.js";
import { backToBefore, giveUp } from "../table.js";
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
function playing() {
  const { seats } = play;
  return html`<div class="part">${turned()}
    ${seats.map((seat) => (seat.kind === "level" ? html`<p class="about">${aboutLevel(seat.level)}</p>` : nothing))}
    ${play.isOpen() && seats.filter(isPerson).length === 1 ? button("Let the computer move",
      () => play.letComputerMove(), { id: "computer", isSmall: true }) : nothing}
    ${play.mayScore ? scoresToggle() : nothing}</div>`;
}

/** At the end of a game: how well both have played. */
const over = () => html`<div id="ending" class="part">${turned()}
  ${accuracyPanel(play.game, reviewOf(play.game.main))}${scoresToggle()}
  <div class="row">${button("Study this game", () => study(play.game), { id: "study", isSmall: true })}
    ${button("Share\u2026", openSharing, { id: "share", isSmall: true })}</div></div>`;

/** Of a game that was turned around: the ending before, and how often that was done against this opponent. */
function turned() {
  const { game } = play, { origin, side, seats } = game, opponent = seats?.[1 - (side ?? 0)];
  if (!origin || side === null || !opponent || isPerson(opponent)) return nothing;
  const count = turnedAgainst(opponent), games = count === 1 ? "1 game" : `${count} games`;
  const { names = game.names } = origin, isOther = String(names) !== String(game.names);
  return html`<p id="turned">${isOther
      ? `The first game was ${names.join(" \u2013 ")}; now you play ${game.names[1 - side]}.`
      : nothing}
      ${count ? `Turned around against ${game.names[1 - side]}: ${games}.` : nothing}</p>
    <div class="row">${button("Back to the first game", backToBefore, { id: "before", isSmall: true })}</div>`;
}

/** The games that wait: all but the one on the board. */
function waiting() {
  const games = waitingGames().filter(({ id }) => id !== play.game.id);
  if (!games.length) return nothing;
  return html`<div class="part" id="waiting"><h3>Waiting</h3><ul class="list">${games.reverse().map((one) => {
    const title = `${one.names.join(" \u2013 ")}${one.origin ? ", turned around" : ""}`, count = one.main.length;
    return html`<li><button @click=${() => play.resume(one.id)}><span>${title}</span>
      <span class="about">${count} ${count === 1 ? "move" : "moves"}</span></button>
      <button class="quiet" aria-label=${`Give up ${title}`} @click=${() => giveUp(one.id)}>\u2715</button></li>`;
  })}</ul></div>`;
}

/** The command that plays many games of two agents. */
function command() {
  const names = settings.seats.map(writeSeat);
  return settings.seats.some(isPerson) ? nothing
    : html`<p class="about">Many games: <code>bot match ${names[0]} ${names[1]}</code></p>`;
}
