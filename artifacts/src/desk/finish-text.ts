/** A text that was made without deltas (an undo, a merge), held to what holds for every change. */
import { err, ok, type Result } from 'rubicon-kernel'
import { checkSchema } from '../delta/check-schema.ts'
import { findDangling } from '../delta/find-dangling.ts'
import type { Plan, PlanResult } from '../delta/plan.ts'
import { applySplices, invertSplices, type Splice } from '../text/splice.ts'
import { describeProblem } from './describe-problem.ts'
import type { DeskProblem } from './desk-answer.ts'
import type { OpenText } from './desk-project.ts'

/** Behind the splices the text is read, means something throughout, and fits its schema. */
export function finishText(
  { artifact, format, parsed, judge }: OpenText,
  splices: readonly Splice[],
): Result<Plan, DeskProblem> {
  if (format.isReadOnly === true)
    return err({ code: 'TARGET_READ_ONLY', artifact, detail: 'nobody writes what is installed' })
  const text = applySplices(parsed.text, splices)
  const after = text === null ? null : format.parse(text)
  if (after?.ok !== true)
    return err({ code: 'CLAIMS_CONFLICT', artifact, detail: 'behind it, it cannot be read' })
  const plan = { splices, after: after.value, inverse: invertSplices(parsed.text, splices) }
  const dangling = findDangling(parsed, plan, format)
  const judged: PlanResult = judge === undefined ? ok(plan) : checkSchema(ok(plan), format, judge)
  const problem = dangling ?? (judged.ok ? null : judged.error)
  return problem === null ? ok(plan) : err(describeProblem(problem, artifact, parsed.text))
}
