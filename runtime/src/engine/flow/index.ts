/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { type BudgetLine, isAboutBudget, readFlowBudget } from './flow-budget.ts'
export type { OfferedTool } from './offered-tools.ts'
export type { OpenRequest } from './open.ts'
export { type FlowOutcome, isFlowWaiting } from './settled.ts'
export type { FlowTimer, TimerRequest } from './timers.ts'
