/**
 * Plans several deltas of one author as one change: each sees what those before it did, and either all of them are planned or none.
 *
 * L1 the splices and the inverse of the whole are of the first and the last text; those of a step are of the texts around it.
 * L2 what refers to nothing is looked for in the last text: two that refer to each other can be removed.
 * L3 what is put in holds no secret, in one fragment or in what several of them come to.
 */
import { assert, err, ok, type Result } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { TextHistory } from '../text/history.ts'
import { invertSplices } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { checkSchema, type JudgeValue } from './check-schema.ts'
import type { Delta } from './delta.ts'
import { findDangling } from './find-dangling.ts'
import { type FindSecret, findSecretIn } from './find-secret.ts'
import type { DeltaProblem, Plan } from './plan.ts'
import { planStep } from './plan-delta.ts'

/** One delta of a list, and what it comes to behind those before it. */
export type PlanStep = Plan & { readonly delta: Delta; readonly before: ParsedText }

export type ListPlan = Plan & { readonly steps: readonly PlanStep[] }

export type ListOptions = {
  readonly findSecret?: FindSecret
  /** Of an artifact with a schema, what its value has to be behind the last delta. */
  readonly judge?: JudgeValue
}

export function planDeltas(
  parsed: ParsedText,
  deltas: readonly Delta[],
  format: Format,
  { findSecret, judge }: ListOptions = {},
): Result<ListPlan, DeltaProblem> {
  const limit = checkLimits(deltas)
  if (limit !== null) return err(limit)
  const history = new TextHistory(parsed.text)
  const steps: PlanStep[] = []
  let before = parsed
  for (const [index, delta] of deltas.entries()) {
    const planned = planStep(before, delta, format)
    if (!planned.ok) return err({ ...planned.error, index })
    const { splices, after } = planned.value
    assert(history.apply(String(index), splices), 'a plan fits the text that it was made for')
    const step = { ...planned.value, delta, before }
    const secret = findSecret === undefined ? null : findSecretIn(step, findSecret)
    if (secret !== null) return err({ ...secret, index })
    steps.push(step)
    before = after
  }
  const splices = history.listSplices()
  const inverse = invertSplices(parsed.text, splices)
  const plan = { splices, after: before, inverse, steps }
  const dangling = findDangling(parsed, plan, format)
  if (dangling !== null) return err(dangling)
  const judged = judge === undefined ? ok(plan) : checkSchema(ok(plan), format, judge)
  return judged.ok ? ok(plan) : judged
}

function checkLimits(deltas: readonly Delta[]): DeltaProblem | null {
  const { deltas: most, listBytes, fragmentBytes } = ARTIFACT_LIMITS
  if (deltas.length === 0)
    return { code: 'TARGET_UNFIT', detail: 'a list has at least one delta', candidates: [] }
  if (deltas.length > most)
    return { code: 'TARGET_UNFIT', detail: `a list has at most ${most} deltas` }
  const sizes = deltas.map((delta) => JSON.stringify(delta).length)
  const index = sizes.findIndex((size) => size > fragmentBytes)
  if (index >= 0)
    return {
      code: 'FRAGMENT_INVALID',
      detail: `a delta has at most ${fragmentBytes} characters`,
      index,
    }
  return sizes.reduce((sum, size) => sum + size, 0) <= listBytes
    ? null
    : { code: 'FRAGMENT_INVALID', detail: `a list has at most ${listBytes} characters` }
}
