/** No identifier has this character, so that no proposal can claim the step. */
const MARK = '~'

/** The step under which a step is compensated: one of its own, in the same flow. */
export function toUndoStep(stepId: string): string {
  return `undo${MARK}${stepId}`
}

export function isUndoStep(stepId: string): boolean {
  return stepId.includes(MARK)
}
