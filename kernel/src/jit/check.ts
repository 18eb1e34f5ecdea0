/**
 * Refuses a dispatch when the outside is no longer what the agent decided on.
 *
 * A value that cannot be read comes first, since nothing can be said without it; then what the
 * proposal asks for and nobody can check; then the movement itself.
 */
import { assert } from '../assert.ts'
import type { Refusal } from '../compile/verdict.ts'
import { type DriftInput, type FieldReport, isWithinBound, measureDrift } from './drift.ts'
import { listUncheckable } from './envelope.ts'

export type DriftFinding = {
  readonly report: readonly FieldReport[]
  readonly refusal: Refusal | null
}

export function checkDrift(input: DriftInput): DriftFinding {
  const report = measureDrift(input)
  return {
    report,
    refusal: findUnavailable(report, input) ?? findUncheckable(input) ?? findDrifted(report, input),
  }
}

function findUnavailable(report: readonly FieldReport[], input: DriftInput): Refusal | null {
  const missing = report.find(({ path }) => input.is(path) === undefined)
  if (missing === undefined) return null
  const { path, field } = missing
  return { code: 'STATE_UNAVAILABLE', details: { path, field } }
}

function findUncheckable({ fields, constraints }: DriftInput): Refusal | null {
  const [constraint] = listUncheckable(fields, constraints)
  if (constraint === undefined) return null
  return { code: 'EXECUTION_CONSTRAINT_VIOLATED', details: { constraint } }
}

function findDrifted(report: readonly FieldReport[], input: DriftInput): Refusal | null {
  const moved = report.find(({ within }) => !within)
  if (moved === undefined) return null
  const { field, path, was, is, bounds, percent } = moved
  const [before, now] = [input.was(path)?.value, input.is(path)?.value]
  const bound = bounds.find((one) => !isWithinBound(one, before, now))
  assert(bound !== undefined, 'a field that is not within its bounds breaks one')
  const shown = typeof percent === 'string' ? { percent } : {}
  return { code: 'STATE_DRIFT_DETECTED', details: { field, path, was, is, bound, ...shown } }
}
