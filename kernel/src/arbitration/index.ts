/** Several agents propose about one event: who is carried out, and who has lost to whom. */
export {
  type ArbitrationLaw,
  type Bid,
  type EventStanding,
  type EventWinner,
  EXCLUSIONS,
  type Exclusion,
} from './bid.ts'
export {
  type ArbitrationOutcome,
  arbitrate,
  findEventRefusal,
  findWinnerOver,
  type LostBid,
} from './outcome.ts'
export { compareBids, rankBids } from './rank.ts'
export { type AwaitedMember, isWindowOver } from './window.ts'
