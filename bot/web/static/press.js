// A click counts only if it begins and ends on the same element: while one is pressed, nothing replaces it.

/** Longest time for which a pressed element holds the drawing up, milliseconds; a release may never be reported. */
const MOST_MS = 10_000;

/** Longest time between a release and its click, milliseconds. */
const CLICK_MS = 100;

let isPressed = false, timer = 0;
/** @type {(() => void) | null} */
let waiting = null;

/**
 * Call `draw` now, or when the button or link that is being pressed has been released.
 * @param {() => void} draw
 */
export function whenReleased(draw) {
  if (isPressed) waiting = draw; else draw();
}

function release() {
  clearTimeout(timer);
  isPressed = false;
  const draw = waiting;
  waiting = null;
  draw?.();
}

addEventListener("pointerdown", ({ target, button }) => {
  if (button !== 0 || !(target instanceof Element && target.closest("button, a, [data-ply]"))) return;
  isPressed = true;
  clearTimeout(timer);
  timer = setTimeout(release, MOST_MS);
}, true);
addEventListener("click", release);
// After a touch the click comes a moment after the release; after a drag it never comes.
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    clearTimeout(timer);
    timer = setTimeout(release, CLICK_MS);
  });
}
// A release outside the window, or over another program, is seen when the pointer is back.
addEventListener("pointerenter", ({ buttons }) => { if (isPressed && !buttons) release(); }, true);
addEventListener("blur", release);
