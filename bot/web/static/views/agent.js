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

class OwnAgent extends View {
  /** @type {Gauntlet | null} */
  found = null;
  /** The position of a finding that is shown in place of the chosen lost game. @type {Loss | null} */
  #position = null;
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

  get loss() { return this.#position ?? this.found?.losses[chosen.loss]; }
  /** The loss whose move comes next on the board. */
  get #here() {
    const { loss, game: { shown } } = this;
    return loss?.ply === shown.length && loss.moves.startsWith(writeMoves(shown)) ? loss : null;
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
    const { loss, game, found } = this, key = `${found?.version}#${loss?.moves}`;
    if (found && loss && game.key !== key) {
      const names = loss.starts ? [found.name, calledBy(loss)] : [calledBy(loss), found.name];
      game.show({ main: readMoves(loss.moves), at: loss.ply ?? loss.moves.length, names, side: loss.starts ? 0 : 1, key });
    }
    if (found && !loss && game.key) game.show();
  }

  /** @param {Loss} loss  a lost game, or a position of a finding */
  choose(loss) {
    const number = this.found?.losses.indexOf(loss) ?? -1;
    if (number < 0) this.#position = loss;
    else [chosen.loss, this.#position] = [number, null];
    this.game.update({ key: "" });
  }

  /** @override */
  actions() {
    const { game, loss, found } = this;
    if (!found || !loss || lineOf(game)) return [];
    const { ply, line, opponent } = loss, before = game.main.slice(0, ply ?? 0);
    const why = { id: "loss-why", label: "Show why", act: () => playLine(game, { before, line }) };
    const play = () => leadOn(() => playOn(game.shown, opponent));
    const all = found.findings.find(({ positions }) => positions.includes(loss))?.positions ?? found.losses;
    const next = all[(all.indexOf(loss) + 1) % all.length], first = game.isVariation ? this.backToGame : why;
    return [...(game.isVariation || line.length ? [{ ...first, isStrong: true }] : []),
      { id: "play-on", label: "Play on from here", act: play, isDisabled: game.board.isOver },
      { id: "loss-next", label: opponent ? "Next game" : "Next position", key: "n", act: () => this.choose(next) }];
  }

  /** @override */
  status() {
    const { found, loss, game: { at, board } } = this, here = this.#here;
    if (!found) return this.#state;
    if (!found.version) return "No results yet.";
    if (!loss) return "No game was lost.";
    return here ? here.title : `Move ${at}: ${super.status(board)}`;
  }

  /** @override */
  notes() {
    const { column = null, right = [] } = this.#here ?? {}, { board } = this.game;
    const good = right.map((at) => ({ ...paleDisc(board, at, "\u2713"), kind: "follow" }));
    return column === null ? [] : [paleDisc(board, column, "?"), ...good];
  }
}

/** @param {Loss} loss */
const calledBy = ({ opponent }) => opponent?.replace(":", " ") ?? "Its opponent";

export const agent = new OwnAgent("agent");

const columns = (/** @type {number[]} */ all) =>
  `${all.length > 1 ? "columns" : "column"} ${all.map((column) => column + 1).join(", ")}.`;

export function agentPanel() {
  const { found, loss } = agent;
  if (!found) return nothing;
  if (found.version) return html`${loss?.text ? lossPart(loss) : nothing}${lists(found)}${newest(found)}`;
  return html`<p>Run <code>bot gauntlet ${found.name}</code> with the name that this page was given.
    Whether it passes, and its lost games, are shown here.</p>`;
}

/** @param {Loss} loss */
function lossPart({ text, reason, right }) {
  return html`<p id="loss" class=${reason && "reason"} aria-live="polite">${spoken(reason || text)}
    ${right.length ? html`<strong>Right: ${columns(right)}</strong>` : nothing}</p>`;
}

/** What comes first: whether the agent passes, by the bot that it passes least, and its first weakness; below is more. */
export function agentVerdict() {
  const { version, passes = [], findings = [] } = agent.found ?? {};
  const [hardest] = [...passes].sort((one, other) => one.value - other.value);
  const kind = hardest?.short.startsWith("Passes") ? "good" : "kind";
  return version ? html`<div id="verdict">${hardest ? html`<h3 class=${kind}>${hardest.short}</h3>` : nothing}
    ${findings.length ? html`<p>${/^.*?\.(?= |$)/.exec(findings[0].text)}</p>` : nothing}</div>` : nothing;
}

/** What else was found of the newest version. @param {Gauntlet} found */
function newest({ version, made, passes, findings }) {
  return html`${findings.length ? html`<div class="part"><h3>What is wrong?</h3>
      <div id="findings">${findings.map(finding)}</div></div>` : nothing}
    <div class="part"><h3>All bots</h3>
      ${passes.map(({ bot, text }) => html`<p><b>${bot}</b>: ${text}</p>`)}
      <p class="about">The newest version is ${version}, ${made}.</p></div>`;
}

/** @param {Gauntlet["findings"][0]} found */
const finding = ({ text, positions }) => html`<p>${text}</p>
  <div class="games">${positions.map(lossButton)}</div>`;

/** The lost games, below what is said of why they were lost. @param {Gauntlet} found */
const lists = ({ lost, losses, groups }) => (lost ? html`<div class="part"><h3>${lost} lost games, and why</h3>
  <div id="losses">${groups.map(({ text, games }) => html`<p>${text}</p>
    <div class="games">${games.map((at) => lossButton(losses[at]))}</div>`)}</div></div>` : nothing);

/** Return what shows a lost game, or a position of a finding. @param {Loss} loss */
function lossButton(loss) {
  const show = () => {
    agent.choose(loss);
    $("panel").scrollTop = 0;
    showBoard();
  };
  return html`<button aria-pressed=${loss === agent.loss} @click=${show}>${loss.called}</button>`;
}
