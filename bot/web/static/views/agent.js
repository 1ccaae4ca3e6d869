// Agent: what `bot gauntlet` found for one's own agent: its lost games, its versions, and what is wrong.

import { chosen } from "../address.js";
import { get } from "../api.js";
import { lineOf, paleDisc, playLine, spoken } from "../lines.js";
import { readMoves, writeMoves } from "../rules.js";
import { offer } from "../settings.js";
import { $, change, complain, store } from "../store.js";
import { playOn } from "../table.js";
import { html, nothing, svg } from "../vendor/lit-html.js";
import { View } from "../view.js";

/** @import { Estimate, Gauntlet, Loss } from "../api.js" */

/** Games of a group and positions of a finding that are listed at first. */
const FEW_GAMES = 50, FEW_POSITIONS = 6;
/** Versions from which on there is something to be seen in a chart. */
const CHARTED = 3;

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

const percent = (/** @type {number} */ value) => {
  if (value > 0 && value < .005) return "below 1\u00a0%"; // as in the gauntlet's sentences
  return value < 1 && value >= .995 ? "above 99\u00a0%" : `${Math.round(100 * value)}\u00a0%`;
};
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

/** @param {Gauntlet} found */
function passing({ versions, source }) {
  const { version, made, passes } = versions[versions.length - 1];
  const hardest = [...passes].sort((one, other) => one.value - other.value)[0]?.bot;
  return html`<div class="part"><h3>Does ${source} pass?</h3>
    ${passes.map(({ bot, text }) => html`<p><b>${bot}</b>: ${text}</p>`)}
    ${chart(`Passes ${hardest}`, versions.map((one) => one.passes.find(({ bot }) => bot === hardest)))}
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

/**
 * @param {string} title
 * @param {(Estimate | undefined)[]} values
 */
function chart(title, values) {
  const known = values.flatMap((one) => one ?? []), last = values[values.length - 1];
  const low = Math.min(...known.map((one) => one.low)), high = Math.max(...known.map((one) => one.high), low + .01);
  const said = last && `${percent(last.value)} (${percent(last.low)} to ${percent(last.high)})`;
  return known.length >= CHARTED ? html`<div class="chart"><p class="pairs about"><span>${title}</span><b>${said}</b></p>
    <svg viewBox="-1 ${-high} ${values.length + 1} ${high - low}" preserveAspectRatio="none"
      role="img" aria-label=${known.map(({ value }) => percent(value)).join(", ")}>
    ${values.map((one, at) => one && svg`<g class=${one === last ? "newest" : ""}>
      <path d="M${at} ${-one.low}V${-one.high}" /><path class="point" d="M${at} ${-one.value}h0" /></g>`)}</svg>
    <p class="about">A dot is a version; its true value is on the line, 19 times in 20.</p></div>`
    : nothing;
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
    $("board").scrollIntoView({ block: "nearest" });
  };
  const where = ply === null ? "from the start" : `move ${ply + 1}`;
  return html`<button aria-pressed=${loss === agent.loss} @click=${show}
    title=${`${starts ? agent.name : opponent} started; ${result ? "drawn" : "lost"} ${where}`}>
    ${at + 1}. ${opponent.replace(":", " ")} <small>${where}</small></button>`;
}
