import { View } from "../view.js";

class Match extends View {
}

export const match = new Match("match");
