/** Numbers of the stages as the specification has them: proof and atom stand between them, without one. */

const WITHOUT_NUMBER: readonly string[] = ['proof', 'atom']

export function listStageNumbers(stages: readonly string[]): readonly (number | null)[] {
  let next = 0
  return stages.map((stage) => {
    if (WITHOUT_NUMBER.includes(stage)) return null
    next += 1
    return next - 1
  })
}
