// The sounds of the board, made here: a disc that lands, and four in a row. A switch in the menu mutes them.

import { settings } from "./settings.js";

/** Loudness of all sounds, 0..1. */
const VOLUME = 0.18;
/** The pitches of four in a row, Hz. */
const CHORD = [523, 659, 784, 1047];

/** @type {AudioContext | null} */
let context = null;

/**
 * Play a sound after `delay_s`.
 * @param {"disc" | "four"} kind
 * @param {number} [delay_s]
 */
export function sound(kind, delay_s = 0) {
  // Browsers allow sound only after the first click or key.
  if (!settings.isSoundOn || navigator.userActivation?.hasBeenActive === false) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    const start = context.currentTime + delay_s;
    if (kind === "disc") tone(context, start, { type: "triangle", from: 300, to: 110, rise_s: 0.002, length_s: 0.14 });
    else for (const [index, pitch] of CHORD.entries()) tone(context, start + 0.09 * index, { from: pitch, to: pitch });
  } catch { /* no sound on this machine */ }
}

/**
 * Sound a tone that fades away; one that falls quickly is the knock of a disc, as of wood.
 * @param {AudioContext} audio
 * @param {number} start
 * @param {{type?: OscillatorType, from: number, to: number, rise_s?: number, length_s?: number}} shape  pitches in Hz
 */
function tone(audio, start, { type = "sine", from, to, rise_s = 0.02, length_s = 0.45 }) {
  const source = audio.createOscillator(), gain = audio.createGain(), end = start + length_s;
  source.type = type;
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(to, end);
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(VOLUME, start + rise_s);
  gain.gain.exponentialRampToValueAtTime(0.001, end);
  source.connect(gain).connect(audio.destination);
  source.start(start);
  source.stop(end);
}
