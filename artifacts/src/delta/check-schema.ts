/** Holds the value of an artifact to its schema: behind every delta all of it is judged, not the part that was changed. */
import { err, type JsonValue } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import type { PlanResult } from './plan.ts'

/** Where in a value, as a JSON Pointer, and what is wrong there. */
export type ValueProblem = { readonly path: string; readonly detail: string }

/** A schema as whoever keeps it judges by it; no problem: the value fits. */
export type JudgeValue = (value: JsonValue) => readonly ValueProblem[]

export function checkSchema(plan: PlanResult, format: Format, judge: JudgeValue): PlanResult {
  if (!plan.ok) return plan
  const { values } = format
  if (values === undefined)
    return err({ code: 'SCHEMA_VIOLATION', detail: `a text of ${format.media} has no value` })
  const value = values.read(plan.value.after)
  if (!value.ok)
    return err({ code: 'SCHEMA_VIOLATION', detail: value.error.detail, at: value.error.at })
  const problems = judge(value.value)
  if (problems.length === 0) return plan
  return err({
    code: 'SCHEMA_VIOLATION',
    detail: problems.map(({ path, detail }) => `\`${path}\` ${detail}`).join('; '),
  })
}
