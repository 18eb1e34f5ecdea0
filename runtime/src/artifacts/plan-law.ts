/**
 * What a decision asks of the kinds of artifacts: pure functions of parameters and World.
 *
 * G1 the symbols that a contract is held against are those that the runtime recorded of the plan: all of them, and no others.
 * G2 what is not known of a plan refuses.
 */
import type { FactView, JsonObject } from 'rubicon-kernel'
import type { Capability, PreviewRow } from '../ports/capability.ts'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { HASH_SCHEMA, listPlanArtifacts, SYMBOLS_SCHEMA, toPlanParams } from './plan-params.ts'
import { isSameNames, listArtifactNames } from './symbol-name.ts'
import {
  ALL,
  ARTIFACT,
  isTexts,
  type OpenPlan,
  PLAN,
  parseOpenPlan,
  ROOT,
  toPreviewRows,
} from './world-values.ts'

/** The resource set of contracts that names what may be written, and what may be read. */
export const WRITTEN = { symbols: '/symbols' }
export const READABLE = 'read_symbols'
export const LOCK_WAIT_MS = 5_000

export const NAMED_PLAN_SCHEMA: JsonObject = {
  type: 'object',
  properties: { plan: HASH_SCHEMA, symbols: SYMBOLS_SCHEMA },
  required: ['plan', 'symbols'],
  additionalProperties: false,
}

type Reads = ReturnType<NonNullable<Capability['reads']>>

export function listArtifactReads(names: readonly string[]): Reads {
  return { world: [{ kind: ROOT, id: ALL }, ...names.map((id) => ({ kind: ARTIFACT, id }))] }
}

export function listPlanReads({ plan, symbols }: JsonObject): Reads {
  const names = isTexts(symbols) ? listArtifactNames(symbols) : []
  const { world = [] } = listArtifactReads(names)
  return { world: [{ kind: PLAN, id: String(plan) }, ...world] }
}

/** Every artifact that a plan is to change is one whose symbols were named. */
export function findUnnamedArtifact(params: JsonObject): string | null {
  const wanted = toPlanParams(params)
  const named = listArtifactNames(wanted.symbols)
  const all = listPlanArtifacts(wanted)
  const unnamed = all.find((name) => !named.includes(name))
  if (unnamed !== undefined) return `PLAN_SYMBOLS: no symbol of \`${unnamed}\` is named`
  const { artifacts } = HANDS_LIMITS
  return all.length > artifacts ? `PLAN_TOO_LARGE: at most ${artifacts} artifacts` : null
}

/** G1, G2. */
export function findPlanProblem(params: JsonObject, view: FactView): string | null {
  const plan = findOpenPlan(params, view)
  if (plan === null) return `PLAN_UNKNOWN: \`${String(params.plan)}\` is no open plan`
  if (plan.until <= view.now) return `PLAN_EXPIRED: it was over at ${plan.until}`
  const symbols = isTexts(params.symbols) ? params.symbols : []
  if (isSameNames(symbols, plan.symbols)) return null
  // What it writes is not told: whoever asks may know the plan by its name alone.
  const missing = plan.symbols.filter((symbol) => !symbols.includes(symbol)).length
  const odd = symbols.filter((symbol) => !plan.symbols.includes(symbol))
  const said = [
    ...(missing === 0 ? [] : [`${missing} of them are missing`]),
    ...(odd.length === 0 ? [] : [`not of the plan: ${odd.join(', ')}`]),
  ]
  return `PLAN_SYMBOLS: \`symbols\` has to be exactly what the plan writes, as its answer says; ${said.join('; ')}`
}

/** One may take back also what is over. */
export function findWithdrawalProblem(params: JsonObject, view: FactView): string | null {
  const plan = findOpenPlan(params, view)
  return plan !== null && plan.until <= view.now
    ? findPlanProblem(params, { ...view, now: '' })
    : findPlanProblem(params, view)
}

export function listPlanRows(params: JsonObject, view: FactView): readonly PreviewRow[] {
  const plan = findOpenPlan(params, view)
  return plan === null ? [] : toPreviewRows(String(params.plan), plan)
}

function findOpenPlan(params: JsonObject, view: FactView): OpenPlan | null {
  const fact = view.world(PLAN, String(params.plan))
  return fact === undefined || fact.retracted ? null : parseOpenPlan(fact.value)
}
