import { View } from "../view.js";

class Proof extends View {
}

export const proof = new Proof("proof");
