/** What follows from the answer of a manifest's executor: its delta, whether it is as promised, what a probe found. */

import { encodeUtf8 } from '../canonical/bytes.ts'
import { checkJson } from '../canonical/check-json.ts'
import { formatDecimal, toDecimal } from '../canonical/decimal.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { ProbeFinding } from '../execution/reconcile.ts'
import { findEarlyProblem, isResultMissing } from '../expression/early-problem.ts'
import {
  type ExpressionScope,
  evaluateCondition,
  evaluateExpression,
} from '../expression/evaluate.ts'
import type { Expression, ExpressionCondition } from '../expression/expression.ts'
import { fillJsonTemplate, listTemplateExpressions } from '../expression/json-template.ts'
import { fillTextTemplate } from '../expression/text-template.ts'
import { describeUnevaluated, type Unevaluated } from '../expression/unevaluated.ts'
import { LIMITS } from '../limits.ts'
import { err, ok, type Result } from '../result.ts'
import type { Delta, DeltaOp } from '../world/delta.ts'
import { increment } from '../world/increment.ts'
import { toResourceName } from '../world/resource.ts'
import type { WorldFact } from '../world/world-fact.ts'
import type { ManifestOp, ManifestProbe, Requirement } from './tool-manifest.ts'

/** What is known once the executor has answered. */
export type Answered = {
  readonly params: JsonObject
  readonly result?: JsonValue
  readonly status?: number
}

/** The resource as the decision saw it. */
type SeenWorld = (kind: string, id: string) => WorldFact | undefined

/** Err: why there is none, in words. */
export function buildManifestDelta(
  ops: readonly ManifestOp[],
  answered: Answered,
  world: SeenWorld,
): Result<Delta, string> {
  const delta: DeltaOp[] = []
  for (const [index, op] of ops.entries()) {
    const built = buildOp(op, answered, world)
    if (!built.ok) return err(`op ${index} of the delta: ${describeUnevaluated(built.error)}`)
    delta.push(built.value)
  }
  return ok(delta)
}

/**
 * Why the delta cannot be made of these parameters, whatever the executor returns; undefined: it can, as far as
 * anybody can tell before it did.
 */
export function findDeltaProblem(
  ops: readonly ManifestOp[],
  params: JsonObject,
  world: SeenWorld,
): Unevaluated | undefined {
  for (const op of ops) {
    const problem = findOpProblem(op, params, world)
    if (problem !== undefined) return problem
  }
  return findTwiceChanged(ops, params) ?? findSizeProblem(ops, params, world)
}

/** Of what is known already: an agent chooses how long and how deep its parameters are. */
function findSizeProblem(
  ops: readonly ManifestOp[],
  params: JsonObject,
  world: SeenWorld,
): Unevaluated | undefined {
  const built = ops.flatMap((op) => {
    const one = buildOp(op, { params }, world)
    return one.ok ? [one.value] : []
  })
  const checked = checkJson({ delta: built })
  if (!checked.ok) return { kind: 'overflow', detail: checked.error.detail }
  const bytes = encodeUtf8(toCanonicalText(checked.value)).length
  if (bytes <= LIMITS.resultBytes) return undefined
  return { kind: 'overflow', detail: `more than ${LIMITS.resultBytes} bytes` }
}

/** Two names that these parameters make one: the second would be held to a version that the first has changed. */
function findTwiceChanged(ops: readonly ManifestOp[], params: JsonObject): Unevaluated | undefined {
  const seen = new Map<string, ManifestOp['op']>()
  for (const { op, kind, id } of ops) {
    const filled = fillTextTemplate(id, params, 'id')
    if (!filled.ok) return filled.error
    const name = toResourceName(kind, filled.value)
    const before = seen.get(name)
    const isOnce = before === undefined || (before === 'increment' && op === 'increment')
    if (!isOnce)
      return { kind: 'mismatch', detail: `\`${kind}.${filled.value}\` would be changed twice` }
    seen.set(name, op)
  }
  return undefined
}

/** What waits for the result is no problem yet; what stands beside it, in the same value or sum, may be one. */
function findOpProblem(
  op: ManifestOp,
  params: JsonObject,
  world: SeenWorld,
): Unevaluated | undefined {
  for (const expression of listOpExpressions(op)) {
    const problem = findEarlyProblem(expression, { params })
    if (problem !== undefined) return problem
  }
  const built = buildOp(op, { params }, world)
  if (built.ok) return findSumProblem(built.value, world)
  if (!isResultMissing(built.error)) return built.error
  // By how much is not known yet; that there is a number to count up is.
  return op.op === 'increment' ? findOpProblem({ ...op, by: NOTHING }, params, world) : undefined
}

const NOTHING: Expression = { const: '0' }

function listOpExpressions(op: ManifestOp): readonly Expression[] {
  if (op.op === 'increment') return [op.by]
  return op.op === 'retract' ? [] : listTemplateExpressions(op.value)
}

/** Only what is a number can be counted up, and stay one. */
function findSumProblem(op: DeltaOp, world: SeenWorld): Unevaluated | undefined {
  if (op.op !== 'increment') return undefined
  const summed = increment(op, world(op.kind, op.id)?.value ?? null)
  if (summed.ok) return undefined
  return { kind: 'mismatch', detail: `\`${op.kind}.${op.id}\` cannot be counted up` }
}

function buildOp(
  op: ManifestOp,
  answered: Answered,
  world: SeenWorld,
): Result<DeltaOp, Unevaluated> {
  const id = fillTextTemplate(op.id, answered.params, 'id')
  if (!id.ok) return id
  const target = { kind: op.kind, id: id.value }
  if (op.op === 'increment') return buildIncrement(op, target, answered)
  const version = world(target.kind, target.id)?.version
  if (op.op === 'create') {
    const value = fillJsonTemplate(op.value, answered)
    if (!value.ok) return value
    return ok({ op: 'create', ...target, expected_version: version ?? 0, value: value.value })
  }
  if (version === undefined) return err({ kind: 'absent', path: `${target.kind}.${target.id}` })
  if (op.op === 'retract') return ok({ op: 'retract', ...target, expected_version: version })
  const value = fillJsonTemplate(op.value, answered)
  return value.ok
    ? ok({ op: 'replace', ...target, expected_version: version, value: value.value })
    : value
}

function buildIncrement(
  { by, field }: Extract<ManifestOp, { readonly op: 'increment' }>,
  target: { readonly kind: string; readonly id: string },
  answered: ExpressionScope,
): Result<DeltaOp, Unevaluated> {
  const value = evaluateExpression(by, answered)
  if (!value.ok) return value
  const decimal = toDecimal(value.value)
  if (decimal === undefined) return err({ kind: 'mismatch', detail: '`by` is no number' })
  const amount = formatDecimal(decimal)
  return ok({ op: 'increment', ...target, by: amount, ...(field === undefined ? {} : { field }) })
}

/** Null when all of them hold, else what does not. What cannot be evaluated does not hold. */
export function checkManifestPostcondition(
  requirements: readonly Requirement[],
  answered: Answered,
): string | null {
  for (const { require, else: missing } of requirements) {
    const held = evaluateCondition(require, answered)
    if (!held.ok) return `${missing}: ${describeUnevaluated(held.error)}`
    if (!held.value) return missing
  }
  return null
}

export function judgeManifestProbe(
  { applied, absent }: Pick<ManifestProbe, 'applied' | 'absent'>,
  answered: Answered,
): ProbeFinding {
  if (isHolding(applied, answered)) return 'applied'
  return isHolding(absent, answered) ? 'absent' : 'inconclusive'
}

function isHolding(condition: ExpressionCondition, answered: Answered): boolean {
  const held = evaluateCondition(condition, answered)
  return held.ok && held.value
}
