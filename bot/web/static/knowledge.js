// What the guide knows in the page: reviews, analyses and lessons, each asked for when it is needed.

import { Answers } from "./answers.js";
import { review, reviewOf } from "./evaluator.js";
import { writeMoves } from "./rules.js";

/** @import { Analysis, Coaching } from "./api.js" */
/** @import { Knowledge } from "./guide.js" */

/** Search time for a position, seconds. */
const SEARCH_S = 6;
const body = () => ({ time_s: SEARCH_S });

/** @type {Answers<Analysis>} */
const positions = new Answers("/api/analysis", { body });
/** @type {Answers<Coaching>} */
const lessons = new Answers("/api/coach", { body });

/** @type {Knowledge} */
export const knowledge = {
  review: reviewOf,
  answer: (moves) => positions.known(writeMoves(moves)),
  lesson: (moves) => lessons.known(writeMoves(moves))?.last,
  want({ game, position, lesson }) {
    if (game) review(game);
    positions.want(position && writeMoves(position));
    lessons.want(lesson && writeMoves(lesson));
  },
};
