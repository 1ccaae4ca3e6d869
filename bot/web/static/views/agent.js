// Agent: what `bot gauntlet` found for one's own agent: whether it passes, its lost games, and what is wrong.

import { chosen } from "../address.js";
import { get } from "../api.js";
import { lineOf, named, paleDisc, playLine, spoken } from "../lines.js";
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
    if (!found || !loss) return [];
    const { ply, line, opponent } = loss, before = game.main.slice(0, ply ?? 0);
    const why = { id: "loss-why", label: "Show why", act: () => playLine(game, { before, line }) };
    const all = found.findings.find(({ positions }) => positions.includes(loss))?.positions ?? found.losses;
    const following = all[(all.indexOf(loss) + 1) % all.length];
    const first = game.isVariation ? this.backToGame : why;
    const next = { id: "loss-next", label: opponent ? "Next game" : "Next position", key: "n",
      act: () => this.choose(following) };
    if (lineOf(game)) return [{ ...next, isStrong: true }]; // beside the way back from the line
    return [...(game.isVariation || line.length ? [{ ...first, isStrong: true }] : []),
      { id: "play-on", label: "Play on from here", act: () => playOn(game.shown, opponent),
        isDisabled: game.board.isOver }, next];
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
    <strong>${right.length ? `Right: ${named(right)}.` : ""}</strong></p>`;
}

/** What comes first: whether the agent passes, by the bot that it passes least, and its first weakness; below is more. */
export function agentVerdict() {
  const { version, passes = [], findings = [] } = agent.found ?? {};
  const [hardest] = [...passes].sort((one, other) => one.value - other.value);
  const kind = hardest?.short.startsWith("Passes") ? "good" : "kind";
  if (!version) return nothing;
  return html`<div id="verdict"><h3 class=${kind}>${hardest?.short ?? "Unknown yet whether it passes."}</h3>
    <p class="about">To pass: 20 games in a row without a loss.</p>
    <p>${/^.*?\.(?= |$)/.exec(findings[0]?.text ?? "")}</p></div>`;
}

/** What else was found of the newest version. @param {Gauntlet} found */
function newest({ version, made, passes, findings }) {
  const wrong = html`<div class="part"><h3>What is wrong?</h3>
    <div id="findings">${findings.map(finding)}</div></div>`;
  return html`${findings.length ? wrong : nothing}
    <div class="part"><h3>All bots</h3>
      ${passes.map(({ bot, text }) => html`<p><b>${bot}</b>: ${text}</p>`)}
      <p class="about">The newest version is ${version}, ${made}.</p></div>`;
}

/** @param {Gauntlet["findings"][0]} found */
const finding = ({ text, positions }) => html`<p>${text}</p>
  <div class="games">${positions.map(lossButton)}</div>`;

/** The lost games, below what is said of why they were lost. @param {Gauntlet} found */
function lists({ lost, losses, groups }) {
  const row = (/** @type {number} */ at) => html`<li>${lossButton(losses[at])}</li>`;
  const rows = groups.map(({ text, games }) => html`<p class="about">${text}</p><ul class="list">${games.map(row)}</ul>`);
  if (!lost) return nothing;
  return html`<div class="part"><h3>${lost} lost games, and why</h3><div id="losses">${rows}</div></div>`;
}

/** Return what shows a lost game with what lost it, or a position of a finding. @param {Loss} loss */
function lossButton(loss) {
  const show = () => {
    agent.choose(loss);
    $("panel").scrollTop = 0;
    showBoard();
  };
  return html`<button aria-pressed=${loss === agent.loss} @click=${show}><span>${loss.called}</span>
    <small>${spoken(loss.text)}</small></button>`;
}
