/** How a server answered: with what it was asked for, or with an error of its own. */
export const ANSWERED = 0
export const ANSWERED_WITH_ERROR = 1
