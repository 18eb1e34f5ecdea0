/** Where `counted` records stand. */
export const COUNTED_GROUP = 'counters'
