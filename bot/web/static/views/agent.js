// Agent: what `bot gauntlet` found for one's own agent, and its lost games.

import { chosen } from "../address.js";
import { get } from "../api.js";
import { lineOf, paleDisc, playLine } from "../lines.js";
import { readMoves, writeMoves } from "../rules.js";
import { offer, readSeat } from "../seats.js";
import { change, complain, store } from "../store.js";
import { playOn } from "../table.js";
import { View } from "../view.js";

/** @import { Gauntlet, Loss } from "../api.js" */

class OwnAgent extends View {
  /** @type {Gauntlet | null} */
  found = null;
  #state = "Loading the results\u2026";
  /** The group whose games are listed; -1: all are. */
  group = -1;

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

  get listed() {
    const { groups = [], losses = [] } = this.found ?? {};
    return groups[this.group]?.games.map((at) => losses[at]) ?? losses;
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
    const { loss, game, found, name } = this, key = `${found?.versions.at(-1)?.version}#${chosen.loss}`;
    if (loss && game.key !== key) {
      const names = loss.starts ? [name, loss.opponent] : [loss.opponent, name];
      game.show({ main: readMoves(loss.moves), at: loss.ply ?? 0, names, side: loss.starts ? 0 : 1, key });
    }
    if (found && !loss && game.key) game.show();
  }

  /** @param {Loss} loss */
  choose(loss) {
    chosen.loss = this.found?.losses.indexOf(loss) ?? -1;
    this.game.update({ key: "" });
  }

  /** @param {number} group */
  list(group) {
    this.group = group === this.group ? -1 : group;
    change();
  }

  /** @override */
  actions() {
    const { game, loss, listed } = this;
    if (!loss || lineOf(game)) return [];
    const { ply, line, opponent } = loss, before = game.main.slice(0, ply ?? 0), isDisabled = !line.length;
    const next = listed[(listed.indexOf(loss) + 1) % listed.length];
    const why = { id: "loss-why", label: "Show why", isDisabled, act: () => playLine(game, { before, line }) };
    const play = () => playOn(game.shown, { opponent: readSeat(opponent) });
    return [{ ...(game.isVariation ? this.backToGame : why), isStrong: true },
      { id: "play-on", label: "Play on from here", act: play, isDisabled: game.board.isOver },
      { id: "loss-next", label: "Next game", key: "n", act: () => this.choose(next) }];
  }

  /** @override */
  status() {
    const { found, loss, name, game: { at, board } } = this, here = this.#here;
    if (!found) return this.#state;
    if (!found.versions.length) return "No results yet.";
    if (!loss) return found.losses.length ? "Choose a lost game." : "No game was lost.";
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
