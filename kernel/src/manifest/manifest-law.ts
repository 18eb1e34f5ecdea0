/**
 * The functions of a capability's law, computed from its manifest.
 *
 * M1 Every fact that an expression names is read, whichever branch is chosen; nothing else is.
 * M2 A value that cannot be computed is absent, and absence refuses; one that is too large is told apart.
 * M3 What the delta will replace, count up or take away is there, what it creates is not, and all of it that the
 *    executor does not have to say first can be made, before anything is sent.
 */

import { formatDecimal, toDecimal } from '../canonical/decimal.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { CapabilityLaw, FactView, ResourceNeed } from '../execution/capability.ts'
import {
  type ExpressionScope,
  evaluateCondition,
  evaluateExpression,
} from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import { ExpressionOverflow } from '../expression/overflow.ts'
import { fillTextTemplate } from '../expression/text-template.ts'
import { describeUnevaluated, type Unevaluated } from '../expression/unevaluated.ts'
import type { JitField } from '../jit/envelope.ts'
import { selectFixedCost } from './describe-manifest.ts'
import { findDeltaProblem } from './manifest-effect.ts'
import { readNamed } from './parse-manifest.ts'
import type { ManifestWorldRead, ToolManifest } from './tool-manifest.ts'

export type ManifestLaw = Omit<CapabilityLaw, 'description' | 'hash' | 'validate'>

export function buildManifestLaw(manifest: ToolManifest): ManifestLaw {
  const facts = [...readNamed(manifest).facts].sort()
  const measures = Object.entries(manifest.measures ?? {})
  const fixed = selectFixedCost(manifest)
  const costs = Object.entries(manifest.cost ?? {}).filter(([name]) => !Object.hasOwn(fixed, name))
  const world = [...(manifest.reads?.world ?? []), ...(manifest.delta ?? [])]
  return {
    reads: (params) => ({
      state: facts.flatMap((template) => listFilled(template, params, 'path')),
      world: listWorldReads(world, params),
    }),
    measures: (params, view) => computeMeasures(measures, createScope(params, view)),
    resources: (params, view) => listResourceNeeds(manifest, createScope(params, view)),
    jit: (params) => fillJitFields(manifest, params),
    cost: (params, view) => computeCost(costs, createScope(params, view)),
    precondition: (params, view) =>
      findUnmetRequirement(manifest, params, view) ?? findHeldProblem(manifest, params, view),
  }
}

function createScope(params: JsonObject, view: FactView): ExpressionScope {
  return { params, state: (path) => view.state(path)?.value }
}

type NamedExpressions = readonly (readonly [string, Expression])[]

function computeMeasures(
  measures: NamedExpressions,
  scope: ExpressionScope,
): Readonly<Record<string, JsonValue | undefined>> {
  const computed: Record<string, JsonValue | undefined> = Object.create(null)
  for (const [name, expression] of measures) computed[name] = compute(expression, scope, name)
  return computed
}

function computeCost(
  costs: NamedExpressions,
  scope: ExpressionScope,
): Readonly<Record<string, string>> {
  const cost: Record<string, string> = Object.create(null)
  for (const [name, expression] of costs)
    cost[name] = computeAmount(expression, scope, `cost.${name}`)
  return cost
}

/** Undefined where it has no value; what is too large is not merely missing. */
function compute(
  expression: Expression,
  scope: ExpressionScope,
  name: string,
): JsonValue | undefined {
  const value = evaluateExpression(expression, scope)
  if (value.ok) return value.value
  throwOverflow(value.error, name)
  return undefined
}

function computeAmount(expression: Expression, scope: ExpressionScope, name: string): string {
  const value = compute(expression, scope, name)
  const decimal = value === undefined ? undefined : toDecimal(value)
  if (decimal === undefined) throw new Error(`\`${name}\` is no amount`)
  return formatDecimal(decimal)
}

function throwOverflow(why: Unevaluated, name: string): void {
  if (why.kind === 'overflow') throw new ExpressionOverflow(name, why.detail)
}

/** The resources that a call needs, of which no fact says which they are; empty where one cannot be named. */
export function listManifestResources(
  { resources = [] }: ToolManifest,
  params: JsonObject,
): readonly string[] {
  const filled = resources.map(({ id }) => fillTextTemplate(id, params, 'id'))
  return filled.every(({ ok }) => ok) ? filled.flatMap((id) => (id.ok ? [id.value] : [])) : []
}

function listResourceNeeds(
  { resources = [] }: ToolManifest,
  scope: ExpressionScope,
): readonly ResourceNeed[] {
  return resources.map(({ id, amount, capacity }) => {
    const filled = fillTextTemplate(id, scope.params, 'id')
    if (!filled.ok) throw new Error(describeUnevaluated(filled.error))
    const need = {
      id: filled.value,
      amount: amount === undefined ? '1' : computeAmount(amount, scope, `resources.${id}`),
    }
    if (capacity === undefined) return need
    return { ...need, capacity: computeAmount(capacity, scope, `resources.${id}`) }
  })
}

/** One whose path cannot be named throws: a field that is left out would be a value that nobody watches. */
function fillJitFields(
  { jit_fields = {} }: ToolManifest,
  params: JsonObject,
): Readonly<Record<string, JitField>> {
  const fields: Record<string, JitField> = Object.create(null)
  for (const [name, field] of Object.entries(jit_fields)) {
    const { path, kind } = typeof field === 'string' ? { path: field, kind: 'position' } : field
    const filled = fillTextTemplate(path, params, 'path')
    if (!filled.ok) throw new Error(describeUnevaluated(filled.error))
    fields[name] = { path: filled.value, kind: kind as JitField['kind'] }
  }
  return fields
}

function findUnmetRequirement(
  { precondition = [] }: ToolManifest,
  params: JsonObject,
  view: FactView,
): string | null {
  const scope = createScope(params, view)
  for (const { require, else: missing } of precondition) {
    const held = evaluateCondition(require, scope)
    if (!held.ok) {
      throwOverflow(held.error, 'precondition')
      return `${missing}: ${describeUnevaluated(held.error)}`
    }
    if (!held.value) return missing
  }
  return null
}

function findHeldProblem(
  { delta = [] }: ToolManifest,
  params: JsonObject,
  view: FactView,
): string | null {
  for (const { op, kind, id } of delta) {
    const filled = fillTextTemplate(id, params, 'id')
    if (!filled.ok) return describeUnevaluated(filled.error)
    const fact = view.world(kind, filled.value)
    const isThere = fact !== undefined && !fact.retracted
    const name = `\`${kind}.${filled.value}\``
    if (op === 'create' && isThere) return `${name} is there already`
    if (op !== 'create' && !isThere) return `${name} is not there`
  }
  const problem = findDeltaProblem(delta, params, view.world)
  if (problem === undefined) return null
  throwOverflow(problem, 'delta')
  return `the delta cannot be made: ${describeUnevaluated(problem)}`
}

function listWorldReads(
  reads: readonly ManifestWorldRead[],
  params: JsonObject,
): readonly { readonly kind: string; readonly id: string }[] {
  const listed = new Map<string, { readonly kind: string; readonly id: string }>()
  for (const { kind, id } of reads)
    for (const one of listFilled(id, params, 'id')) listed.set(`${kind} ${one}`, { kind, id: one })
  return [...listed.values()]
}

/** A name that cannot be made of these parameters names nothing; whoever needs it will miss it. */
function listFilled(template: string, params: JsonObject, use: 'path' | 'id'): readonly string[] {
  const filled = fillTextTemplate(template, params, use)
  return filled.ok ? [filled.value] : []
}
