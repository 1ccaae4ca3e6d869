// The settings' controls: `data-field` names a control's setting.

import { $, all, complain, html } from "./dom.js";
import { drawLevel } from "./levels.js";
import { soundSwitch } from "./sound.js";
import { store } from "./store.js";

/** @import { Agent } from "./api.js" */
/** @import { Page } from "./app.js" */

/** Names of the engine's own agents; all others belong to the laboratory. */
const ENGINE = ["level", "perfect", "proof+perfect", "mtdf", "alphabeta", "depth", "random"];
/** Settings that are switches: "1" or "". */
const SWITCHES = ["analyse", "fixed", "proves", "threats"];
/** Settings that hold an agent's name. */
const AGENT_FIELDS = ["agent", "a", "b"];
/** The course's own bot, whose name and depth are written without a colon. */
const COURSE_BOT = "depth";
/** What an agent's number is called; other agents only take a limit to their depth. */
const NUMBERS = new Map([["depth", "Depth, plies"], ["playouts", "Playouts per move"], ["level", "Level"]]);

/**
 * Connect the controls.
 * @param {Page} page
 */
export function prepareControls(page) {
  document.addEventListener("change", ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target), field = input.dataset.field;
    if (!field) return;
    if (input.type === "number" && input.value !== "" && !input.checkValidity()) {
      const label = input.parentElement?.firstChild?.textContent?.trim();
      complain(new Error(`${label} must be from ${input.min} to ${input.max}.`));
      input.value = store[field];
      return;
    }
    complain(null);
    store[field] = !SWITCHES.includes(field) ? input.value : input.checked ? "1" : "";
    // Another agent's number and options mean something else.
    if (AGENT_FIELDS.includes(field)) store[fieldOf(field, "depth")] = store[fieldOf(field, "options")] = "";
    page.view.changed(field);
    page.refresh();
  });
  $("error").lastElementChild?.addEventListener("click", () => complain(null));
  $("theme").addEventListener("click", () => {
    const root = document.documentElement, theme = root.dataset.theme === "dark" ? "light" : "dark";
    root.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  });
  soundSwitch($("sound"));
}

/**
 * Return the name of a setting of the agent chosen in `field`.
 * @param {string} field
 * @param {"depth" | "options"} part
 */
const fieldOf = (field, part) => `${field === "agent" ? "" : field}${part}`;

/**
 * Return the name of an agent with its number and options, as commands take it: `depth3`, `uct:1000`.
 * @param {Page} page
 * @param {string} name
 * @param {string} depth
 * @param {string} options
 */
export function fullName(page, name, depth, options) {
  const agent = page.agent(name), number = depth || agent?.depth;
  if (!agent || agent.depth === null) return name;
  const given = agent.options.length && options ? `,${options}` : "";
  return `${name}${name === COURSE_BOT ? "" : ":"}${number}${given}`;
}

/**
 * Offer the agents for choice.
 * @param {Page} page
 * @param {Agent[]} agents
 */
export function fillAgentLists(page, agents) {
  const group = (/** @type {string} */ label, /** @type {Agent[]} */ list) =>
    html("optgroup", { label }, ...list.map(({ name }) => html("option", { value: name }, name)));
  const isEngine = (/** @type {Agent} */ agent) => ENGINE.includes(agent.name);
  for (const select of all("[data-agents]")) {
    select.replaceChildren(group("Engine", agents.filter(isEngine)),
      group("Laboratory", agents.filter((agent) => !isEngine(agent))));
  }
  for (const field of AGENT_FIELDS) if (!page.agent(store[field])) store[field] = "perfect";
}

/**
 * Write the settings into the controls.
 * @param {Page} page
 */
export function fillControls(page) {
  for (const element of all("[data-field]")) {
    const input = /** @type {HTMLInputElement} */ (element), field = input.dataset.field ?? "";
    const value = store[field], isText = input.type !== "radio" && input.type !== "checkbox";
    if (isText && input === document.activeElement) continue;
    if (input.type === "radio") input.checked = input.value === value;
    else if (SWITCHES.includes(field)) input.checked = value === "1";
    else input.value = value;
  }
  for (const field of AGENT_FIELDS) fillAgent(page, field);
  drawLevel();
}

/**
 * Show what the agent chosen in `field` can be set to.
 * @param {Page} page
 * @param {string} field
 */
function fillAgent(page, field) {
  const agent = page.agent(store[field]);
  if (!agent) return;
  const options = agent.options.length ? `; options: ${agent.options.join(", ")}` : "";
  const isOnSlider = field === "agent" && agent.name === "level";
  const about = isOnSlider ? "The level of the slider above."
    : `${agent.about[0].toUpperCase()}${agent.about.slice(1)}${options}.`;
  for (const element of all(`[data-about=${field}]`)) element.textContent = about;
  for (const element of all(`[data-options=${field}]`)) {
    element.hidden = !agent.options.length;
    element.lastElementChild?.setAttribute("placeholder", `${agent.options[0]}=\u2026`);
  }
  for (const element of all(`[data-chance=${field}]`)) element.hidden = !agent.chance;
  const name = agent.depth === null ? "Depth limit, plies" : NUMBERS.get(agent.number) ?? agent.number;
  for (const element of all(`[data-number=${field}]`)) element.textContent = name;
  const depth = /** @type {HTMLInputElement} */ (all(`[data-field=${fieldOf(field, "depth")}]`)[0]);
  if (depth.parentElement) depth.parentElement.hidden = isOnSlider;
  depth.placeholder = String(agent.depth ?? "none");
  depth.max = String(agent.deepest);
}
