import { View } from "../view.js";

class Explorer extends View {
}

export const explorer = new Explorer("explorer");
