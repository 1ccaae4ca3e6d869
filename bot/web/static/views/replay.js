import { View } from "../view.js";

class Replay extends View {
}

export const replay = new Replay("replay");
