/** Stages 7 to 9: arguments, preconditions, policy. Codes are gathered; precedence picks one. */
import type { CapabilityLaw, CompileInput, Contract, FactView, ReasonCode } from 'rubicon-kernel'
import {
  collectNamedResources,
  isAllowedByContract,
  isContractAnswered,
  isEveryBudgetCounted,
  limitMatters,
  listWritRefusals,
} from './answers.ts'
import { canonicaliseJson, isJson } from './canonical.ts'
import { findCompensationProblem } from './compensation.ts'
import { isAffordable, isInWindow, RESERVED, sum } from './early-stages.ts'
import { order, parseDecimal, parseTime } from './exact.ts'
import { isMoreThanApproved, isMuch, NOBODY } from './impact.ts'
import { findBelieved } from './labels.ts'
import { limitCode, limitHolds } from './limits.ts'
import { findPlaces } from './places.ts'
import { listHeldNames } from './resources.ts'

const CONTEXT_AGE_MS = 15 * 60 * 1000

type Values = Readonly<Record<string, unknown>>
/** Under its id a trigger can be lifted. */
type Asked = { readonly id: string; readonly code: ReasonCode }
type Found = {
  readonly refusals: ReasonCode[]
  readonly triggers: Asked[]
  /** Limits that would have asked, and let it through for somebody to look at afterwards. */
  readonly flagged: string[]
}

export function createFactView(input: CompileInput): FactView {
  const { value } = input.facts
  return {
    now: value.now,
    state: (path) => findBelieved(input, path),
    world: (kind, id) => value.world.find((fact) => fact.kind === kind && fact.id === id),
  }
}

function getOwnMember(map: unknown, name: string): unknown {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return undefined
  return Object.hasOwn(map, name) ? (map as Values)[name] : undefined
}

function tryCompute<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}

export function checkArguments(input: CompileInput): ReasonCode | null {
  const { proposal, rules } = input
  const law = rules.capability(proposal.policy_kind)
  if (tryCompute(() => law?.validate(proposal.params))?.length !== 0) return 'ARGUMENTS_INVALID'
  for (const [name, labels] of Object.entries(law?.description.sinks ?? {})) {
    for (const { at, value, blocked } of findPlaces(proposal.params, name)) {
      if (value === undefined && !blocked) continue
      const path = getOwnMember(proposal.grounds, at)
      const ground = typeof path === 'string' ? createFactView(input).state(path) : undefined
      if (
        blocked ||
        ground === undefined ||
        canonicaliseJson(ground.value) !== canonicaliseJson(value)
      )
        return 'SINK_UNGROUNDED'
      if (!labels.includes(ground.label)) return 'SINK_LABEL'
    }
  }
  return null
}

export function checkPreconditions(
  input: CompileInput,
  law: CapabilityLaw,
  contract: Contract,
): Found {
  const { facts, proposal } = input
  const view = createFactView(input)
  const measures = computeMeasures(law, proposal.params, view)
  const found: Found = { refusals: [], triggers: [], flagged: [] }
  const refuse = (code: ReasonCode, holds: boolean): void => {
    if (!holds) found.refusals.push(code)
  }
  for (const name of law.description.measures)
    refuse('MEASURE_UNAVAILABLE', Object.hasOwn(measures, name))
  refuse('CONTRACT_UNANSWERED', isContractAnswered(input, law, contract))
  const named = collectNamedResources(proposal.params, law)
  if (named === null || !isAllowedByContract(named, input, contract))
    found.refusals.push('RESOURCE_SCOPE')
  else found.refusals.push(...listWritRefusals(named, input, law))
  for (const limit of contract.permissions.limits) {
    const meant = limit.applies_to ?? (RESERVED.includes(proposal.policy_kind) ? [] : null)
    if (meant !== null && !meant.includes(proposal.policy_kind)) continue
    if (!limitMatters(limit, proposal.params, law)) continue
    const holds = limitHolds(limit, measures, input)
    if (holds === null) found.refusals.push('MEASURE_UNAVAILABLE')
    if (holds === false) {
      const code = limitCode(limit, contract)
      if (limit.on_breach !== 'escalate') found.refusals.push(code)
      else if (contract.authority !== 'EXECUTE_FULL' || isMuch(law, measures, NOBODY))
        found.triggers.push({ id: `limit:${limit.id}`, code })
      else found.flagged.push(`limit:${limit.id}`)
    }
  }
  if (isMoreThanApproved(input, law, measures))
    found.triggers.push({ id: 'impact', code: 'IMPACT_RAISED' })
  checkDrawdown(law, contract, view.state(`agent.${proposal.agent_id}.drawdown_pct`)?.value, found)
  const cost = tryCompute(() => sum(law.description.cost, law.cost(proposal.params, view))) ?? null
  if (cost === null) found.refusals.push('MEASURE_UNAVAILABLE')
  else {
    refuse('BUDGET_EXCEEDED_BY_PARAMS', isAffordable(input, cost) && isInWindow(input, cost))
    refuse('CONTRACT_UNANSWERED', isEveryBudgetCounted(input, law, cost))
  }
  refuse('STALE_CONTEXT', isContextFresh(input, contract))
  checkResources(law, input, found)
  refuse('MISSION_DISSONANCE', facts.value.contract?.mission_hash === proposal.mission_context_hash)
  refuse('PRECONDITION_FAILED', tryCompute(() => law.precondition(proposal.params, view)) === null)
  const unfit = proposal.policy_kind === 'COMPENSATE' ? findCompensationProblem(input) : null
  if (unfit !== null) found.refusals.push(unfit)
  return found
}

function computeMeasures(
  law: CapabilityLaw,
  params: CompileInput['proposal']['params'],
  view: FactView,
): Values {
  if (law.description.measures.length === 0) return {}
  const computed = tryCompute(() => Object.entries(law.measures(params, view))) ?? []
  return Object.fromEntries(computed.filter(([, value]) => isJson(value)))
}

/** At the limit only what reduces exposure passes. */
function checkDrawdown(
  law: CapabilityLaw,
  { safety_rules }: Contract,
  fact: unknown,
  { refusals }: Found,
): void {
  if (safety_rules.max_drawdown_limit_pct === undefined || law.description.reducing) return
  const [value, limit] = [parseDecimal(fact), parseDecimal(safety_rules.max_drawdown_limit_pct)]
  if (value === null || limit === null) refusals.push('MEASURE_UNAVAILABLE')
  else if (order(value, limit) >= 0) refusals.push('DRAWDOWN_LIMIT')
}

function isContextFresh(
  { facts: { value: facts }, proposal }: CompileInput,
  contract: Contract,
): boolean {
  const seconds = contract.jit_verification.max_context_age_seconds
  const allowed = seconds === undefined ? CONTEXT_AGE_MS : seconds * 1000
  // Whoever approved it has looked at it then.
  const looked = facts.approval?.decided_at ?? facts.flow.snapshot_at
  const [now, shown] = [parseTime(facts.now), parseTime(looked)]
  const known = proposal.context_ref === facts.flow.snapshot_id
  return known && now !== null && shown !== null && now - shown <= allowed
}

function checkResources(law: CapabilityLaw, input: CompileInput, { refusals }: Found): void {
  const { proposal } = input
  const names =
    tryCompute(() => listHeldNames(law.resources(proposal.params, createFactView(input)))) ?? null
  if (names === null) {
    refusals.push('MEASURE_UNAVAILABLE')
    return
  }
  const claimed = proposal.resources?.map(({ id }) => id)
  if (claimed !== undefined && !names.every((id) => claimed.includes(id)))
    refusals.push('RESOURCES_MISMATCH')
}

export function evaluatePolicies(
  input: CompileInput,
  law: CapabilityLaw,
  contract: Contract,
): Found {
  const { proposal, writs, rules } = input
  const found: Found = { refusals: [], triggers: [], flagged: [] }
  const writ = writs[0]
  if (writ === undefined) return found
  const view = createFactView(input)
  const measures = computeMeasures(law, proposal.params, view) as Parameters<
    (typeof rules.policies)[0]['evaluate']
  >[0]['measures']
  const asked = {
    proposal,
    contract,
    writ: writ.body,
    capability: law.description,
    measures,
    facts: view,
  }
  for (const one of rules.policies) {
    if (one.applies_to !== undefined && !one.applies_to.includes(proposal.policy_kind)) continue
    const said = parsePolicyAnswer(tryCompute(() => one.evaluate(asked)))
    if (said === 'deny') found.refusals.push('POLICY_DENIED')
    if (said === 'error') found.refusals.push('POLICY_ERROR')
    if (Array.isArray(said))
      for (const channel of new Set(said))
        found.triggers.push({ id: `policy:${one.name}@${channel}`, code: 'APPROVAL_REQUIRED' })
  }
  const { authority, safety_rules } = contract
  const isUnsure = (threshold: string | undefined): boolean => {
    if (threshold === undefined) return false
    const [stated, bound] = [parseDecimal(proposal.confidence), parseDecimal(threshold)]
    return stated === null || bound === null || order(stated, bound) < 0
  }
  if (authority === 'PROPOSE')
    found.triggers.push({ id: 'authority', code: 'AUTHORITY_PROPOSE_ONLY' })
  if (safety_rules.requires_human_approval.includes(proposal.policy_kind))
    found.triggers.push({ id: 'kind', code: 'HUMAN_APPROVAL_REQUIRED' })
  if (isUnsure(safety_rules.escalate_on_uncertainty))
    found.triggers.push({ id: 'confidence', code: 'UNCERTAINTY' })
  else if (isUnsure(safety_rules.min_confidence_threshold)) found.refusals.push('LOW_CONFIDENCE')
  return found
}

/** The channels that are asked, where any are. Whatever has not the form of an answer is an error. */
function parsePolicyAnswer(answer: unknown): 'pass' | 'deny' | 'error' | readonly string[] {
  const said = getOwnMember(answer, 'decision')
  const erroring = getOwnMember(answer, 'erroring') ?? []
  if (said === undefined || !Array.isArray(erroring) || erroring.length > 0) return 'error'
  if (said === null) return 'pass'
  const [kind, reason, also = []] = ['kind', 'reason', 'also'].map((name) =>
    getOwnMember(said, name),
  )
  if (kind === 'permit') return 'pass'
  if (kind === 'deny') return typeof reason === 'string' ? 'deny' : 'error'
  if (kind !== 'require_approval') return 'error'
  if (!Array.isArray(also)) return 'error'
  const asks = [said, ...also].map((one) => [
    getOwnMember(one, 'channel'),
    getOwnMember(one, 'reason'),
  ])
  const channels = asks.map(([channel]) => channel).filter((channel) => typeof channel === 'string')
  return asks.flat().every((text) => typeof text === 'string') ? channels : 'error'
}
