// The sound of a disc that lands, made here. A switch in the menu mutes it.

import { settings } from "./settings.js";

/** Loudness, 0..1; length, seconds. */
const VOLUME = 0.18, LENGTH_S = 0.14;

/** @type {AudioContext | null} */
let context = null;

/**
 * Sound the knock of a disc, as of wood: a tone that falls quickly and fades away.
 * @param {number} [delay_s]
 */
export function sound(delay_s = 0) {
  // Browsers allow sound only after the first click or key.
  if (!settings.isSoundOn || navigator.userActivation?.hasBeenActive === false) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    const source = context.createOscillator(), gain = context.createGain();
    const start = context.currentTime + delay_s, end = start + LENGTH_S;
    source.type = "triangle";
    source.frequency.setValueAtTime(300, start);
    source.frequency.exponentialRampToValueAtTime(110, end);
    gain.gain.setValueAtTime(VOLUME, start);
    gain.gain.exponentialRampToValueAtTime(0.001, end);
    source.connect(gain).connect(context.destination);
    source.start(start);
    source.stop(end);
  } catch { /* no sound on this machine */ }
}
