/** A job half done: what was done, what is offered, how it is taken back. */
export { parseChoicePath, toChoicePath, toChoiceSaidPath } from './choice-path.ts'
export { ALERT_HUMAN, buildCapabilityMenu, REVERT } from './menu.ts'
export { chooseOnFailure } from './on-failure.ts'
export { listOfferedChoices, planUndo } from './plan.ts'
export type { SagaFact, SagaStanding, SagaStep } from './saga.ts'
export { buildUndoIntent } from './undo-intent.ts'
export { isUndoStep, toUndoStep } from './undo-step.ts'
