import { View } from "../view.js";

class Watch extends View {
}

export const watch = new Watch("watch");
