/**
 * What stage 8 asks a capability: values to check limits on, fields to hold unmoved, what the parameters
 * cost, what it needs to hold, and whether it may go ahead. Capabilities are other people's code: what
 * they cannot say refuses.
 */
import { assert } from '../assert.ts'
import { checkJson } from '../canonical/check-json.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { shorten } from '../canonical/shorten.ts'
import { findAgentBudget } from '../contract/agent-budget.ts'
import { selectEnvelope } from '../contract/applies.ts'
import { getOwn } from '../contract/own.ts'
import { listUncounted } from '../contract/uncounted-budgets.ts'
import type { CapabilityLaw, FactView } from '../execution/capability.ts'
import { ExpressionOverflow } from '../expression/overflow.ts'
import { resolveJitFields } from '../jit/fields.ts'
import { LIMITS } from '../limits.ts'
import { addCost } from '../writ/budget.ts'
import type { Budget } from '../writ/writ.ts'
import { findBudgetShortage, findWindowShortage } from './06-budget.ts'
import type { CompileInput, Findings } from './input.ts'
import { planLocks } from './lock-plan.ts'
import { watchFacts } from './missing-facts.ts'
import type { Refusal } from './verdict.ts'

export type Measures = Record<string, JsonValue>

/**
 * A capability that throws has computed nothing, and what is not JSON (a NaN, a promise) is nothing
 * too: the measure is missing, and missing refuses.
 */
export function computeMeasures(
  law: CapabilityLaw,
  { proposal }: CompileInput,
  view: FactView,
  refusals: Refusal[],
): Measures {
  const names = law.description.measures
  if (names.length === 0) return {}
  const facts = watchFacts(view, law, proposal.params)
  const answer = attempt(() => selectKnownMeasures(law.measures(proposal.params, facts.view)))
  if (answer.overflow !== undefined) {
    refusals.push(answer.overflow)
    return {}
  }
  const computed = answer.value ?? {}
  for (const measure of names) {
    if (getOwn(computed, measure) !== undefined) continue
    refusals.push({ code: 'MEASURE_UNAVAILABLE', details: { measure, ...facts.describeMissing() } })
  }
  return computed
}

function selectKnownMeasures(measures: Readonly<Record<string, JsonValue | undefined>>): Measures {
  const found: Record<string, JsonValue> = Object.create(null)
  for (const [name, value] of Object.entries(measures)) {
    const checked = checkJson(value)
    if (checked.ok) found[name] = checked.value
  }
  return found
}

/** `overflow`: an expression of its manifest became too large, which is not the same as a missing value. */
type Attempt<T> = { readonly value: T | undefined; readonly overflow?: Refusal }

/** No value when it throws: capabilities are other people's code. */
function attempt<T>(compute: () => T): Attempt<T> {
  try {
    return { value: compute() }
  } catch (error) {
    if (!(error instanceof ExpressionOverflow)) return { value: undefined }
    const details = { measure: error.of, detail: error.message }
    return { value: undefined, overflow: { code: 'EXPRESSION_OVERFLOW', details } }
  }
}

/** The fields that it names for these parameters, where the contract bounds any. */
export function listWatchedFields(
  { contract, proposal }: CompileInput,
  law: CapabilityLaw,
): readonly string[] {
  assert(contract !== null, 'a contract was found in the scope stage')
  const isBound = Object.keys(selectEnvelope(contract, proposal.policy_kind)).length > 0
  return isBound ? Object.keys(resolveJitFields(law, proposal.params) ?? {}) : []
}

export function checkParameterCost(
  input: CompileInput,
  law: CapabilityLaw,
  view: FactView,
  found: Findings,
): readonly Refusal[] {
  const { proposal } = input
  const facts = watchFacts(view, law, proposal.params)
  const { value: cost, overflow } = attempt(() => {
    const more = law.cost(proposal.params, facts.view)
    return Object.keys(more).length === 0 ? found.cost : addCost(found.cost, more)
  })
  if (overflow !== undefined) return [overflow]
  if (cost === undefined) {
    const details = { measure: 'cost', ...facts.describeMissing() }
    return [{ code: 'MEASURE_UNAVAILABLE', details }]
  }
  const uncounted = listUncountedBudgets(input, law, cost)
  // What every such call costs was judged in stage 6.
  if (cost === found.cost) return uncounted
  found.cost = cost
  const short = findBudgetShortage(input, found.cost) ?? findWindowShortage(input, found.cost)
  if (short === null) return uncounted
  return [
    ...uncounted,
    { code: 'BUDGET_EXCEEDED_BY_PARAMS', details: { ...short, cost: found.cost } },
  ]
}

/** A budget that a call does not draw on, though it moves what the budget is of, would bound nothing. */
function listUncountedBudgets(
  { contract, facts, writs }: CompileInput,
  { description }: CapabilityLaw,
  cost: Budget,
): readonly Refusal[] {
  const amounts = contract === null ? {} : (findAgentBudget(contract)?.amounts ?? {})
  const ofFlow = facts.value.budgets.filter(({ writ }) => writ === writs[0]?.id)
  const flowMeasures = [...new Set(ofFlow.map(({ measure }) => measure))]
  const code = 'CONTRACT_UNANSWERED'
  return [
    ...listUncounted(Object.keys(amounts), description, cost).map((measure): Refusal => {
      return { code, details: { rule: `safety_rules.budget_per_agent.${measure}` } }
    }),
    ...listUncounted(flowMeasures, description, cost).map((budget): Refusal => {
      return { code, details: { by: 'writ', budget } }
    }),
  ]
}

/** Gate 4: the capability says what it touches; a list that leaves something out hides a conflict. */
export function checkNeededResources(
  { proposal }: CompileInput,
  law: CapabilityLaw,
  view: FactView,
  found: Findings,
): readonly Refusal[] {
  const facts = watchFacts(view, law, proposal.params)
  const { value: needed, overflow } = attempt(() =>
    planLocks(law.resources(proposal.params, facts.view)),
  )
  if (overflow !== undefined) return [overflow]
  if (needed === undefined) {
    const details = { measure: 'resources', ...facts.describeMissing() }
    return [{ code: 'MEASURE_UNAVAILABLE', details }]
  }
  found.resources = needed
  const { resources: claimed } = proposal
  if (claimed === undefined) return []
  const missing = found.resources.filter((need) => !claimed.some((claim) => claim.id === need.id))
  if (missing.length === 0) return []
  return [{ code: 'RESOURCES_MISMATCH', details: { missing: missing.map(({ id }) => id) } }]
}

export function checkPrecondition(
  law: CapabilityLaw,
  { proposal }: CompileInput,
  view: FactView,
): readonly Refusal[] {
  const { value: answer, overflow } = attempt(() => law.precondition(proposal.params, view))
  if (overflow !== undefined) return [overflow]
  if (answer === null) return []
  // Words of other people's code: they must be such that the refusal can be recorded.
  const missing =
    typeof answer === 'string'
      ? shorten(answer, LIMITS.wordsLength)
      : 'the precondition could not be evaluated'
  return [{ code: 'PRECONDITION_FAILED', details: { missing } }]
}
