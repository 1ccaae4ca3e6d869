// The panel of Agent: the chosen loss, the versions, the lost games.

import { $ } from "../dom.js";
import { spoken } from "../lessons.js";
import { html, nothing, svg } from "../vendor/lit-html.js";
import { agent } from "./agent.js";

/** @import { Estimate, Gauntlet, Loss } from "../api.js" */

/** Games that are listed at first. */
const FEW = 50;
const percent = (/** @type {number} */ value) => {
  if (value > 0 && value < .005) return "below 1\u00a0%"; // as in the gauntlet's sentences
  return value < 1 && value >= .995 ? "above 99\u00a0%" : `${Math.round(100 * value)}\u00a0%`;
};
const columns = (/** @type {number[]} */ all) =>
  `${all.length > 1 ? "columns" : "column"} ${all.map((column) => column + 1).join(", ")}.`;

export function agentPanel() {
  const { found, loss, name } = agent;
  if (!found) return nothing;
  if (found.versions.length) return html`${loss && lossPart(loss)}${passing(found)}${wrong(found)}${lists(found)}`;
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
function passing({ versions }) {
  const { version, made, passes } = versions[versions.length - 1];
  const hardest = [...passes].sort((one, other) => one.value - other.value)[0]?.bot;
  return html`<div class="part"><h3>Does ${agent.name} pass?</h3>
    ${passes.map(({ bot, text }) => html`<p><b>${bot}</b>: ${text}</p>`)}
    ${chart(`Passes ${hardest}`, versions.map((one) => one.passes.find(({ bot }) => bot === hardest)))}
    <p class="about">A dot is a version, with its 95 % interval. The last one is ${version}, ${made}.</p></div>`;
}

/** @param {Gauntlet} found */
function wrong({ findings }) {
  return findings.length ? html`<div class="part"><h3>What is wrong?</h3>
      <ul id="findings" class="list">${findings.map(finding)}</ul></div>` : nothing;
}

/** @param {Gauntlet["findings"][0]} found */
function finding({ text, positions }) {
  const link = (/** @type {{moves: string}} */ { moves }) =>
    html`<a href=${`#view=scores&moves=${moves}`}>${moves || "the empty board"}</a> `;
  return html`<li><p>${text}</p><p class="about">${positions.map(link)}</p></li>`;
}

/**
 * @param {string} title
 * @param {(Estimate | undefined)[]} values
 */
function chart(title, values) {
  const known = values.flatMap((one) => one ?? []), last = values[values.length - 1];
  const low = Math.min(...known.map((one) => one.low)), high = Math.max(...known.map((one) => one.high), low + .01);
  const said = last && `${percent(last.value)} (${percent(last.low)} to ${percent(last.high)})`;
  return known.length ? html`<div class="chart"><p class="pairs about"><span>${title}</span><b>${said}</b></p>
    <svg viewBox="-1 ${-high} ${values.length + 1} ${high - low}" preserveAspectRatio="none"
      role="img" aria-label=${known.map(({ value }) => percent(value)).join(", ")}>
    ${values.map((one, at) => one && svg`<g class=${one === last ? "newest" : ""}>
      <path d="M${at} ${-one.low}V${-one.high}" /><path class="point" d="M${at} ${-one.value}h0" /></g>`)}</svg></div>`
    : nothing;
}

/** @param {Gauntlet} found */
function lists({ groups }) {
  const rows = agent.listed.map(row), all = rows.length;
  return all ? html`<div class="part"><h3>Why it lost</h3>
      <ul id="groups" class="list">${groups.map(({ text }, at) => html`<li><button aria-pressed=${at === agent.group}
        @click=${() => agent.list(at)}><span class="about">${text}</span></button></li>`)}</ul>
      <h3>Lost games: ${all}</h3>
      <ul id="losses" class="list">${rows.slice(0, FEW)}</ul>
      ${all > FEW ? html`<details><summary>Show all ${all}</summary>
        <ul class="list">${rows.slice(FEW)}</ul></details>` : nothing}</div>` : nothing;
}

/** @param {Loss} loss */
function row(loss) {
  const { opponent, starts, result, ply } = loss, show = () => {
    agent.choose(loss);
    $("panel").scrollTop = 0;
    $("board").scrollIntoView({ block: "nearest" });
  };
  return html`<li><button aria-pressed=${loss === agent.loss} @click=${show}>
    <b>Against ${opponent}</b><span class="about">${result ? "drawn" : "lost"},
      ${ply === null ? "from the start" : `move ${ply + 1}`}</span>
    <small>${starts ? agent.name : opponent} started</small></button></li>`;
}
