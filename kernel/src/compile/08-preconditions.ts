/**
 * Stage 8: what depends on parameters and on the state of things.
 *
 * Contract limits on computed measures and resource scope (gate 2), cost by parameters (gate 2),
 * context identity (gate 3), the resources an action needs (gate 4), mission (gate 5), and what the
 * capability itself demands. Every failing check is reported; a refusal outranks an escalation.
 */
import { assert } from '../assert.ts'
import { compareDecimal, parseDecimal, toDecimal } from '../canonical/decimal.ts'
import { parseInstant } from '../canonical/time.ts'
import { checkLimits } from '../contract/limit-check.ts'
import { checkResourceScopes } from '../contract/resource-scope.ts'
import { findUnansweredRules } from '../contract/unanswered.ts'
import { deriveEscalationChannel } from '../escalation/first-channel.ts'
import { judgeImpact, NO_PAST } from '../escalation/impact.ts'
import type { CapabilityLaw, FactView } from '../execution/capability.ts'
import { toDrawdownPath } from '../fact/owner.ts'
import { LIMITS } from '../limits.ts'
import { planCompensation } from '../saga/plan.ts'
import {
  checkNeededResources,
  checkParameterCost,
  checkPrecondition,
  computeMeasures,
  listWatchedFields,
  type Measures,
} from './capability-answers.ts'
import type { CompileInput, Findings } from './input.ts'
import { createFactView, getLastLookTime } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { refuseAll } from './stage.ts'
import type { Flag, Refusal, Trigger } from './verdict.ts'

export const preconditionsStage: Stage = {
  name: 'preconditions',
  reads: [
    'now',
    'flow',
    'approval',
    'contract',
    'writs',
    'budgets',
    'agent_window',
    'state',
    'world',
    'saga',
  ],
  run(input: CompileInput, found: Findings): StageResult {
    const { law } = found
    const { contract } = input
    assert(law !== undefined && contract !== null, 'scope and capability were decided before')
    const view = createFactView(input.facts.value, { law, contract })
    const refusals: Refusal[] = []
    const triggers: Trigger[] = []
    const flagged: Flag[] = []

    const measures = computeMeasures(law, input, view, refusals)
    found.measures = measures
    const actsAlone = contract.authority === 'EXECUTE_FULL' && isLittle(law, measures)
    const watched = listWatchedFields(input, law)
    refusals.push(...checkUnansweredRules(input, law, watched))
    refusals.push(...checkScopes(input, law))
    for (const breach of checkLimits({
      contract,
      policyKind: input.proposal.policy_kind,
      params: input.proposal.params,
      measures,
      state: (path) => view.state(path)?.value,
      answers: law.description,
      ...(input.rules.regex === undefined ? {} : { regex: input.rules.regex }),
    })) {
      const id = `limit:${breach.limit.id}`
      if (!breach.escalate) refusals.push(breach.refusal)
      else if (actsAlone) flagged.push({ id, ...breach.refusal })
      else triggers.push({ id, channel: deriveEscalationChannel(contract), ...breach.refusal })
    }
    triggers.push(...findRaisedImpact(input, law, measures))
    refusals.push(...checkDrawdown(input, law, view))
    const byCall = found.cost
    refusals.push(...checkParameterCost(input, law, view, found))
    refusals.push(...checkContextIdentity(input))
    refusals.push(...checkNeededResources(input, law, view, found))
    refusals.push(...checkMission(input))
    refusals.push(...checkPrecondition(law, input, view))
    refusals.push(...checkCompensation(input))

    const { cost, resources } = found
    // What the capability said is on record, so that the decision can be judged without its code.
    const said = {
      measures,
      ...(cost === byCall ? {} : { cost }),
      ...(resources.length === 0 ? {} : { resources }),
      ...(watched.length === 0 ? {} : { watched }),
      ...(triggers.length === 0 ? {} : { triggers }),
      ...(flagged.length === 0 ? {} : { flagged }),
    }
    if (refusals.length > 0) return { ...refuseAll(refusals), ...said }
    return { said: triggers.length === 0 ? 'pass' : 'suspend', ...said }
  },
}

function checkScopes(
  { contract, writs, proposal, rules }: CompileInput,
  law: CapabilityLaw,
): readonly Refusal[] {
  assert(contract !== null, 'a contract was found in the scope stage')
  return checkResourceScopes({
    contract,
    writs: writs.map((writ) => writ.body),
    policyKind: proposal.policy_kind,
    params: proposal.params,
    scopes: law.description.scopes,
    touches: law.description.touches,
    ...(rules.regex === undefined ? {} : { regex: rules.regex }),
  })
}

/** HIGH_IMPACT asks whatever the authority; how unusual it is, is judged where somebody is asked. */
function isLittle({ description }: CapabilityLaw, measures: Measures): boolean {
  return judgeImpact(description, measures, NO_PAST).impact === 'LOW_IMPACT'
}

/** What was approved as little, and is much by now, asks again. */
function findRaisedImpact(
  { facts }: CompileInput,
  { description }: CapabilityLaw,
  measures: Measures,
): readonly Trigger[] {
  const { approval } = facts.value
  if (approval?.impact !== 'LOW_IMPACT') return []
  const { impact, impact_reasons } = judgeImpact(description, measures, approval.past)
  if (impact === 'LOW_IMPACT') return []
  const details = { impact, impact_reasons: [...impact_reasons] }
  return [{ id: 'impact', code: 'IMPACT_RAISED', channel: 'operator', details }]
}

/** By what it watches for these parameters: a field that it leaves out is not watched. */
function checkUnansweredRules(
  { contract, proposal }: CompileInput,
  law: CapabilityLaw,
  watched: readonly string[],
): readonly Refusal[] {
  assert(contract !== null, 'a contract was found in the scope stage')
  const answers = { ...law.description, jit_fields: watched }
  const rules = findUnansweredRules(contract, proposal.policy_kind, answers)
  return rules.map((rule) => ({ code: 'CONTRACT_UNANSWERED', details: { rule } }))
}

/** Once the drawdown limit is reached only what reduces exposure passes. Unknown drawdown refuses. */
function checkDrawdown(
  { contract, proposal }: CompileInput,
  law: CapabilityLaw,
  view: FactView,
): readonly Refusal[] {
  const limit = contract?.safety_rules.max_drawdown_limit_pct
  if (limit === undefined || law.description.reducing) return []
  const path = toDrawdownPath(proposal.agent_id)
  const fact = view.state(path)
  const value = fact === undefined ? undefined : toDecimal(fact.value)
  const bound = parseDecimal(limit)
  if (value === undefined || bound === undefined)
    return [{ code: 'MEASURE_UNAVAILABLE', details: { measure: path } }]
  if (compareDecimal(value, bound) < 0) return []
  return [{ code: 'DRAWDOWN_LIMIT', details: { limit_pct: limit } }]
}

const CONTEXT_MEMBERS = ['context_ref', 'mission_context_hash'] as const

/** Gate 3: made on this flow's snapshot, and not too long ago. */
function checkContextIdentity({
  facts: { value: facts },
  contract,
  proposal,
}: CompileInput): readonly Refusal[] {
  // Whoever receives a proposal completes it; one that was not completed says nothing of a context.
  const missing = CONTEXT_MEMBERS.filter((name) => proposal[name] === undefined)
  if (missing.length > 0) return [{ code: 'STALE_CONTEXT', details: { missing } }]
  if (proposal.context_ref !== facts.flow.snapshot_id)
    return [{ code: 'STALE_CONTEXT', details: { wanted: facts.flow.snapshot_id } }]
  const seconds = contract?.jit_verification.max_context_age_seconds
  const limitMs = seconds === undefined ? LIMITS.contextAgeMs : seconds * 1000
  const now = parseInstant(facts.now)
  const at = parseInstant(getLastLookTime(facts))
  if (now === undefined || at === undefined || now - at > limitMs)
    return [{ code: 'STALE_CONTEXT', details: { max_age_ms: limitMs } }]
  return []
}

/** Gate 5: the agent works on the mission of the contract that this flow was opened under. */
function checkMission({ facts: { value: facts }, proposal }: CompileInput): readonly Refusal[] {
  assert(facts.contract !== null, 'a contract that nobody knows was refused in the scope stage')
  const wanted = facts.contract.mission_hash
  const { mission_context_hash: said } = proposal
  if (said === undefined || said === wanted) return []
  return [{ code: 'MISSION_DISSONANCE', details: { wanted } }]
}

/** What was chosen is on the menu of a dirty flow that the chooser answers for. */
function checkCompensation({ facts, proposal }: CompileInput): readonly Refusal[] {
  if (proposal.policy_kind !== 'COMPENSATE') return []
  const plan = planCompensation(facts.value.saga, proposal.params.action)
  return plan.ok ? [] : [plan.refusal]
}
