// Agent: what `bot gauntlet` found for one's own agent: its lost games, its versions, and what is wrong.

import { chosen } from "../address.js";
import { get } from "../api.js";
import { lineOf, paleDisc, playLine, spoken } from "../lines.js";
import { readMoves, writeMoves } from "../rules.js";
import { offer } from "../settings.js";
import { $, change, complain, showBoard, store } from "../store.js";
import { playOn } from "../table.js";
import { html, nothing } from "../vendor/lit-html.js";
import { View } from "../view.js";

/** @import { Gauntlet, Loss } from "../api.js" */

/** Games of a group and positions of a finding that are listed at first. */
const FEW_GAMES = 50, FEW_POSITIONS = 6;

class OwnAgent extends View {
  /** @type {Gauntlet | null} */
  found = null;
  #state = "Loading the results\u2026";

  get name() { return offer.agents.find(({ own }) => own)?.name ?? ""; }
  /** @override */
  get isOffered() { return this.name !== "" || (!offer.agents.length && store.view === this.id); }
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
    const { loss, game, found, name } = this, key = `${found?.versions.at(-1)?.version}#${chosen.loss}`;
    if (loss && game.key !== key) {
      const names = loss.starts ? [name, loss.opponent] : [loss.opponent, name];
      game.show({ main: readMoves(loss.moves), at: loss.ply ?? loss.moves.length, names, side: loss.starts ? 0 : 1, key });
    }
    if (found && !loss && game.key) game.show();
  }

  /** @param {Loss} loss */
  choose(loss) {
    chosen.loss = this.found?.losses.indexOf(loss) ?? -1;
    this.game.update({ key: "" });
  }

  /** @override */
  actions() {
    const { game, loss, found } = this;
    if (!found || !loss || lineOf(game)) return [];
    const { ply, line, opponent } = loss, before = game.main.slice(0, ply ?? 0), isDisabled = !line.length;
    const order = found.groups.flatMap(({ games }) => games), at = order.indexOf(chosen.loss) + 1;
    const next = found.losses[order[at % order.length]];
    const why = { id: "loss-why", label: "Show why", isDisabled, act: () => playLine(game, { before, line }) };
    const play = () => playOn(game.shown, opponent);
    return [{ ...(game.isVariation ? this.backToGame : why), isStrong: true },
      { id: "play-on", label: "Play on from here", act: play, isDisabled: game.board.isOver },
      { id: "loss-next", label: "Next game", key: "n", act: () => this.choose(next) }];
  }

  /** @override */
  status() {
    const { found, loss, name, game: { at, board } } = this, here = this.#here;
    if (!found) return this.#state;
    if (!found.versions.length) return "No results yet.";
    if (!loss) return "No game was lost.";
    if (here) return `Move ${at + 1}: a mistake of ${name}.`;
    return `Move ${at}: ${super.status(board)}`;
  }

  /** @override */
  notes() {
    const { column = null, right = [] } = this.#here ?? {}, { board } = this.game;
    const good = right.map((at) => ({ ...paleDisc(board, at, "\u2713"), kind: "follow" }));
    return column === null ? [] : [paleDisc(board, column, "?"), ...good];
  }
}

export const agent = new OwnAgent("agent");

const columns = (/** @type {number[]} */ all) =>
  `${all.length > 1 ? "columns" : "column"} ${all.map((column) => column + 1).join(", ")}.`;

export function agentPanel() {
  const { found, loss, name } = agent;
  if (!found) return nothing;
  if (found.versions.length) return html`${loss && lossPart(loss)}${lists(found)}${passing(found)}${wrong(found)}`;
  return html`<p>Run <code>bot gauntlet mine.py:${name}</code> with the name that this page was given.
    Its versions and lost games are shown here.</p>`;
}

/** @param {Loss} loss */
function lossPart({ text, reason, right }) {
  return html`<div id="loss" aria-live="polite"><p><strong>${spoken(text)}</strong></p>
    ${reason && html`<p class="reason">${spoken(reason)}</p>`}
    ${right.length ? html`<p class="good">Right: ${columns(right)}</p>` : nothing}</div>`;
}

/** What comes first: whether the agent passes, by the bot that it passes least, and its first weakness; below is more. */
export function agentVerdict() {
  const { versions = [], source, findings = [] } = agent.found ?? {}, newest = versions[versions.length - 1];
  const [hardest] = [...newest?.passes ?? []].sort((one, other) => one.value - other.value);
  return newest ? html`<div id="verdict"><h3>Does ${source} pass?</h3>
    ${hardest ? html`<p><b>${hardest.bot}</b>: ${/^[^)]*\)?/.exec(hardest.text)}</p>` : nothing}
    ${findings.length ? html`<p>${/^.*?\.(?= |$)/.exec(findings[0].text)}</p>` : nothing}</div>` : nothing;
}

/** What else was found of the newest version. @param {Gauntlet} found */
function passing({ versions }) {
  const { version, made, passes } = versions[versions.length - 1];
  return html`<div class="part"><h3>All bots</h3>
    ${passes.map(({ bot, text }) => html`<p><b>${bot}</b>: ${text}</p>`)}
    <p class="about">The newest version is ${version}, ${made}.</p></div>`;
}

/** @param {Gauntlet} found */
function wrong({ findings }) {
  return findings.length ? html`<div class="part"><h3>What is wrong?</h3>
      <div id="findings">${findings.map(finding)}</div></div>` : nothing;
}

/** @param {Gauntlet["findings"][0]} found */
function finding({ text, positions }) {
  const different = [...new Set(positions.map(({ moves }) => moves))];
  return html`<p>${text}</p>${chips(different, FEW_POSITIONS, (moves, index) =>
    html`<button title=${moves || "the empty board"}
      @click=${() => { location.hash = `view=scores&moves=${moves}`; }}>Position ${index + 1}</button>`)}`;
}

/**
 * Return chips to choose from, the first ones at once and all others on request.
 * @template One
 * @param {One[]} all
 * @param {number} few  how many are listed at first
 * @param {(one: One, index: number) => unknown} chip
 */
function chips(all, few, chip) {
  const drawn = all.map(chip);
  return html`<div class="games">${drawn.slice(0, few)}</div>
    ${drawn.length > few ? html`<details><summary>Show all ${drawn.length}</summary>
      <div class="games">${drawn.slice(few)}</div></details>` : nothing}`;
}

/** The lost games, below what is said of why they were lost. @param {Gauntlet} found */
function lists({ groups, losses }) {
  return groups.length ? html`<div class="part"><h3>${losses.length} lost games, and why</h3>
    <div id="losses">${groups.map(({ text, games }) =>
    html`<p>${text}</p>${chips(games, FEW_GAMES, lossButton)}`)}</div></div>` : nothing;
}

/**
 * Return what opens a lost game; its number tells it from others that were lost in the same way.
 * @param {number} at  the place of the game among all lost ones
 */
function lossButton(at) {
  const loss = agent.found?.losses[at], { opponent = "", starts, result, ply = null } = loss ?? {};
  const show = () => {
    if (loss) agent.choose(loss);
    $("panel").scrollTop = 0;
    showBoard();
  };
  const where = ply === null ? "from the start" : `move ${ply + 1}`;
  return html`<button aria-pressed=${loss === agent.loss} @click=${show}
    title=${`${starts ? agent.name : opponent} started; ${result ? "drawn" : "lost"} ${where}`}>
    ${at + 1}. ${opponent.replace(":", " ")} <small>${where}</small></button>`;
}
