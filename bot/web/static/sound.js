// The sounds of the board, made here: a disc that lands, and four in a row. A switch in the header mutes them.

import { keep, kept } from "./store.js";

const PLACE = "sound";
/** Loudness of all sounds, 0..1. */
const VOLUME = 0.22;

/** @type {AudioContext | null} */
let context = null;

/** Whether sounds are played; they are until the user mutes them. */
const isOn = () => kept(PLACE, /** @type {string} */ ("on")) !== "off";

/**
 * Connect the switch.
 * @param {HTMLElement} button
 */
export function soundSwitch(button) {
  const show = () => {
    button.setAttribute("aria-pressed", String(isOn()));
    button.title = isOn() ? "Sound is on" : "Sound is off";
  };
  button.addEventListener("click", () => {
    keep(PLACE, isOn() ? "off" : "on");
    show();
    sound("disc");
  });
  show();
}

/**
 * Play a sound after `delay_s`.
 * @param {"disc" | "four"} kind
 * @param {number} [delay_s]
 */
export function sound(kind, delay_s = 0) {
  // Browsers allow sound only after the first click or key.
  if (!isOn() || navigator.userActivation?.hasBeenActive === false) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    const start = context.currentTime + delay_s;
    if (kind === "disc") knock(context, start);
    else [523, 659, 784, 1047].forEach((pitch, index) => tone(context, pitch, start + 0.09 * index));
  } catch { /* no sound on this machine */ }
}

/**
 * The knock of a disc: a short tone that falls, as of wood.
 * @param {AudioContext} audio
 * @param {number} start
 */
function knock(audio, start) {
  const source = audio.createOscillator(), gain = audio.createGain();
  source.type = "triangle";
  source.frequency.setValueAtTime(300, start);
  source.frequency.exponentialRampToValueAtTime(110, start + 0.09);
  gain.gain.setValueAtTime(VOLUME, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.14);
  source.connect(gain).connect(audio.destination);
  source.start(start);
  source.stop(start + 0.15);
}

/**
 * @param {AudioContext | null} audio
 * @param {number} pitch  Hz
 * @param {number} start
 */
function tone(audio, pitch, start) {
  if (!audio) return;
  const source = audio.createOscillator(), gain = audio.createGain();
  source.frequency.value = pitch;
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(VOLUME * 0.6, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.45);
  source.connect(gain).connect(audio.destination);
  source.start(start);
  source.stop(start + 0.5);
}
