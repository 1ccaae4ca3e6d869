// Agent: what `bot gauntlet` found for one's own agent: whether it passes, its lost games, and what is wrong.

import { chosen, leadOn } from "../address.js";
import { get } from "../api.js";
import { lineOf, paleDisc, playLine, spoken } from "../lines.js";
import { readMoves, writeMoves } from "../rules.js";
import { offer } from "../settings.js";
import { $, change, complain, showBoard, store } from "../store.js";
import { playOn } from "../table.js";
import { html, nothing } from "../vendor/lit-html.js";
import { View } from "../view.js";

/** @import { Gauntlet, Loss } from "../api.js" */

/** Positions of a finding that are listed: those of lost games come first. */
const FEW_POSITIONS = 6;

class OwnAgent extends View {
  /** @type {Gauntlet | null} */
  found = null;
  #state = "Loading the results\u2026";

  /** @override */
  get isOffered() {
    const { agents } = offer;
    return agents.some(({ own }) => own) || (!agents.length && store.view === this.id);
  }
  /** @override */
  get mayScore() { return Boolean(this.loss); }
  /** @override */
  get takesDiscs() { return this.mayScore && super.takesDiscs; }

  get loss() { return this.found?.losses[chosen.loss]; }
  /** The loss whose move comes next on the board. */
  get #here() {
    const { loss, game: { shown } } = this;
    return loss?.ply === shown.length && loss.moves.startsWith(writeMoves(shown)) ? loss : null;
  }

  /** The lost games by their reasons, and of one reason by the move that lost. */
  get reasons() {
    const { groups = [], losses = [] } = this.found ?? {};
    return groups.map(({ text, games }) => {
      const plies = [...new Set(games.map((at) => losses[at].ply))];
      return { text, entries: plies.map((ply) => ({ ply, games: games.filter((at) => losses[at].ply === ply) })) };
    });
  }

  /** @override */
  async enter() {
    try {
      this.found = await get("/api/agent");
    } catch (error) {
      this.#state = "The results cannot be shown.";
      complain(error);
    }
    change();
  }

  /** @override */
  react() {
    if (this.found?.losses.length && !this.loss) {
      chosen.loss = Math.max(0, this.found.losses.findIndex(({ ply }) => ply !== null));
    }
    const { loss, game, found } = this, key = `${found?.version}#${chosen.loss}`;
    if (found && loss && game.key !== key) {
      const names = loss.starts ? [found.name, calledBy(loss)] : [calledBy(loss), found.name];
      game.show({ main: readMoves(loss.moves), at: loss.ply ?? loss.moves.length, names, side: loss.starts ? 0 : 1, key });
    }
    if (found && !loss && game.key) game.show();
  }

  /** @param {number} loss  the number of a lost game */
  choose(loss) {
    chosen.loss = loss;
    this.game.update({ key: "" });
  }

  /** @override */
  actions() {
    const { game, loss, found, reasons } = this;
    if (!found || !loss || lineOf(game)) return [];
    const { ply, line, opponent } = loss, before = game.main.slice(0, ply ?? 0), isDisabled = !line.length;
    const order = reasons.flatMap(({ entries }) => entries.flatMap(({ games }) => games));
    const next = order[(order.indexOf(chosen.loss) + 1) % order.length];
    const why = { id: "loss-why", label: "Show why", isDisabled, act: () => playLine(game, { before, line }) };
    const play = () => leadOn(() => playOn(game.shown, opponent));
    return [{ ...(game.isVariation ? this.backToGame : why), isStrong: true },
      { id: "play-on", label: "Play on from here", act: play, isDisabled: game.board.isOver },
      { id: "loss-next", label: "Next game", key: "n", act: () => this.choose(next) }];
  }

  /** @override */
  status() {
    const { found, loss, game: { at, board } } = this, here = this.#here;
    if (!found) return this.#state;
    if (!found.version) return "No results yet.";
    if (!loss) return "No game was lost.";
    return here ? `Move ${at + 1}: ${spoken(here.text)}` : `Move ${at}: ${super.status(board)}`;
  }

  /** @override */
  notes() {
    const { column = null, right = [] } = this.#here ?? {}, { board } = this.game;
    const good = right.map((at) => ({ ...paleDisc(board, at, "\u2713"), kind: "follow" }));
    return column === null ? [] : [paleDisc(board, column, "?"), ...good];
  }
}

/** @param {Loss} loss */
const calledBy = ({ opponent }) => opponent.replace(":", " ");

export const agent = new OwnAgent("agent");

const columns = (/** @type {number[]} */ all) =>
  `${all.length > 1 ? "columns" : "column"} ${all.map((column) => column + 1).join(", ")}.`;

export function agentPanel() {
  const { found, loss } = agent;
  if (!found) return nothing;
  if (found.version) return html`${loss && lossPart(loss)}${lists(found)}${newest(found)}`;
  return html`<p>Run <code>bot gauntlet ${found.name}</code> with the name that this page was given.
    Whether it passes, and its lost games, are shown here.</p>`;
}

/** @param {Loss} loss */
function lossPart({ reason, right }) {
  return html`<p id="loss" class=${reason && "reason"} aria-live="polite">${spoken(reason)}
    ${right.length ? html`<strong>Right: ${columns(right)}</strong>` : nothing}</p>`;
}

/** What comes first: whether the agent passes, by the bot that it passes least, and its first weakness; below is more. */
export function agentVerdict() {
  const { name, version, passes = [], findings = [] } = agent.found ?? {};
  const [hardest] = [...passes].sort((one, other) => one.value - other.value);
  return version ? html`<div id="verdict"><h3>Does ${name} pass?</h3>
    ${hardest ? html`<p><b>${hardest.bot}</b>: ${/^[^)]*\)?/.exec(hardest.text)}</p>` : nothing}
    ${findings.length ? html`<p>${/^.*?\.(?= |$)/.exec(findings[0].text)}</p>` : nothing}</div>` : nothing;
}

/** What else was found of the newest version. @param {Gauntlet} found */
function newest({ version, made, passes, findings }) {
  return html`<div class="part"><h3>All bots</h3>
      ${passes.map(({ bot, text }) => html`<p><b>${bot}</b>: ${text}</p>`)}
      <p class="about">The newest version is ${version}, ${made}.</p></div>
    ${findings.length ? html`<div class="part"><h3>What is wrong?</h3>
      <div id="findings">${findings.map(finding)}</div></div>` : nothing}`;
}

/** @param {Gauntlet["findings"][0]} found */
function finding({ text, positions }) {
  const different = [...new Set(positions.map(({ moves }) => moves))].slice(0, FEW_POSITIONS);
  return html`<p>${text}</p><div class="games">${different.map((moves, index) =>
    html`<button title=${moves || "the empty board"}
      @click=${() => leadOn(() => { location.hash = `view=scores&moves=${moves}`; })}>Position ${index + 1}</button>`)}
  </div>`;
}

/** The lost games, below what is said of why they were lost. @param {Gauntlet} found */
function lists({ losses }) {
  let number = 0;
  return losses.length ? html`<div class="part"><h3>${losses.length} lost games, and why</h3>
    <div id="losses">${agent.reasons.map(({ text, entries }) => html`<p>${text}</p>
      <div class="games">${entries.map((entry) => entryButton(++number, entry))}</div>`)}</div></div>` : nothing;
}

/**
 * Return what opens the first game that was lost at a move in the same way; "Next game" goes on to the others.
 * @param {number} number
 * @param {{ply: number | null, games: number[]}} entry
 */
function entryButton(number, { ply, games }) {
  const show = () => {
    agent.choose(games[0]);
    $("panel").scrollTop = 0;
    showBoard();
  };
  const where = ply === null ? "from the start" : `move ${ply + 1}`, { length: count } = games;
  return html`<button aria-pressed=${games.includes(chosen.loss)} @click=${show}>
    ${number}. ${where}, ${count} ${count === 1 ? "game" : "games"}</button>`;
}
