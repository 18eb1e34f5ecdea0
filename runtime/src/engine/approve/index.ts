/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { PersonDeciding } from './approver.ts'
export type { AskedAgain } from './ask-again.ts'
export type { Onlooker } from './brief/standing.ts'
export type { ShownClaim } from './claim.ts'
export type { ShownComment } from './comments.ts'
export type { DecidedEscalation } from './decide.ts'
export { INBOX_TABS, type InboxQuestion, parseEscalationAction } from './inbox.ts'
export { INBOX_SORTS } from './inbox-order.ts'
export {
  type EscalationFilter,
  type EscalationPlace,
  type EscalationSummary,
  type EscalationView,
  listEscalations,
  loadEscalationSummary,
} from './list.ts'
export type { ModificationView } from './modification.ts'
export { describeStakes, type OverLimit, type Stakes } from './stakes.ts'
