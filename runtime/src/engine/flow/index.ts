/** For the packages of this repository: what they use of this folder. No promise to anybody else. */

export type { BusLetter } from './bus-outbox.ts'
export type { CallNames } from './call-claims.ts'
export type { Came } from './call-order.ts'
export { listConversation, readConversation } from './conversation.ts'
export {
  type EventAccount,
  type EventOutcome,
  type EventStandingView,
  type MemberAccount,
  readEventAccount,
  readEventPayload,
  readEventStanding,
} from './event-account.ts'
export type { AnswerPlace, AnswerStanding, EventAnswer } from './event-answers.ts'
export { type BudgetLine, isAboutBudget, readFlowBudget } from './flow-budget.ts'
export type { ClaimedFlow } from './flow-claim.ts'
export {
  buildDueDrop,
  buildDuePut,
  computeExpiry,
  findBindingClaim,
  type KeptClaim,
} from './kept-claims.ts'
export { type ListedTopic, listTopics, type TopicListener } from './listed-topics.ts'
export type { OfferedTool } from './offered-tools.ts'
export type { OpenRequest } from './open.ts'
export type { FlowOutcome } from './settled.ts'
export type { FlowTimer, TimerRequest } from './timers.ts'
