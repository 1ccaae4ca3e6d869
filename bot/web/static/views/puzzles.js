import { View } from "../view.js";

class Puzzles extends View {
}

export const puzzles = new Puzzles("puzzles");
