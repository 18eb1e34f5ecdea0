/** Several agents propose about one event: who is carried out, and who has lost to whom. */
export type { ArbitrationLaw, Bid, EventStanding, EventWinner } from './bid.ts'
export { chooseNextBid, findEventRefusal, findWinnerOver } from './outcome.ts'
export { compareBids, findPrecedence, type Precedence } from './rank.ts'
export { isWindowOver } from './window.ts'
