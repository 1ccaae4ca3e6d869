// Taking a position along: as a link, as a picture, as text.

import { $, all } from "./dom.js";
import { COLUMNS, ROWS, position, writeMoves } from "./rules.js";
import { hash, shown } from "./store.js";

const PROPERTIES = ["fill", "stroke", "stroke-width", "stroke-linecap", "opacity", "font", "text-anchor"];

function picture() {
  const source = $("board"), copy = source.cloneNode(true);
  const originals = [source, ...all("*", source)], copies = [copy, ...all("*", copy)];
  copies.forEach((element, index) => {
    const style = getComputedStyle(originals[index]);
    for (const name of PROPERTIES) if (style.getPropertyValue(name)) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("style");
    element.removeAttribute("class");
  });
  all("[data-column]", copy).forEach((lane) => lane.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", 700);
  copy.setAttribute("height", 600);
  return new XMLSerializer().serializeToString(copy);
}

export function text() {
  const board = position(shown());
  const rows = Array.from({ length: ROWS }, (_, index) => board.cells.map((cells) => "XO"[cells[ROWS - 1 - index]] ?? ".").join(" "));
  const end = board.winner !== null ? `${"XO"[board.winner]} wins.` : board.isDraw ? "A draw." : `${"XO"[board.toMove]} to move.`;
  const letters = [..."abcdefg"].slice(0, COLUMNS).join(" ");
  return [...rows, letters, "", `Moves: ${writeMoves(board.moves) || "none"}`, end, ""].join("\n");
}

function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function prepareShare(say) {
  const name = () => `connect-four-${writeMoves(shown()) || "start"}`;
  $("save-svg").addEventListener("click", () => save(`${name()}.svg`, picture(), "image/svg+xml"));
  $("save-text").addEventListener("click", () => save(`${name()}.txt`, text(), "text/plain"));
  $("link").addEventListener("click", async () => {
    const link = location.origin + location.pathname + hash(true);
    try {
      await navigator.clipboard.writeText(link);
      say("The link is copied.");
    } catch {
      prompt("The link to this position:", link);
    }
  });
}
