/** What a capability answers of contract and writ: resource sets, watched values, measures. */
import type { CapabilityLaw, CompileInput, Contract, Limit, ReasonCode } from 'rubicon-kernel'
import { isKindMatch, isMatch } from './delegation.ts'
import { RESERVED, type Units } from './early-stages.ts'
import { findPlaces } from './places.ts'

/** Set → what the call names of it. */
export type NamedSets = ReadonlyMap<string, readonly string[]>

/** Null where a set that the capability speaks of is not named as it should be. */
export function collectNamedResources(params: unknown, law: CapabilityLaw): NamedSets | null {
  const named = new Map<string, readonly string[]>()
  for (const [set, parameter] of Object.entries(law.description.scopes)) {
    const places = findPlaces(params, parameter)
    const lists = places.map(({ value }) => (Array.isArray(value) ? value : [value]))
    if (lists.length === 0 || lists.some((list) => list.length === 0)) return null
    const texts = lists.flat().filter((one) => typeof one === 'string')
    if (texts.length < lists.flat().length) return null
    named.set(set, texts)
  }
  return named
}

function isMeant(kinds: readonly string[] | undefined, kind: string): boolean {
  return kinds === undefined ? !RESERVED.includes(kind) : kinds.includes(kind)
}

/** The sets that the contract has for a kind. */
function collectSets(contract: Contract, kind: string): NamedSets {
  const sets = new Map<string, readonly string[]>()
  for (const [name, set] of Object.entries(contract.permissions.resources)) {
    const plain = Array.isArray(set)
    const { allow, applies_to } = (plain ? { allow: set } : set) as {
      readonly allow: readonly string[]
      readonly applies_to?: readonly string[]
    }
    if (isMeant(applies_to, kind)) sets.set(name, allow)
  }
  return sets
}

const UNITS = ['', '_pct', '_bps', '_abs']

/** Names that the contract bounds for a kind, each with the fields that it may stand for. */
function listBoundFields(contract: Contract, kind: string): readonly (readonly string[])[] {
  const entries = Object.entries(contract.jit_verification.drift_envelope)
  return entries
    .filter(([, entry]) => isMeant(typeof entry === 'string' ? undefined : entry.applies_to, kind))
    .map(([name, entry]) => {
      const bound = typeof entry === 'string' ? entry : entry.max
      const units = bound === 'strict' ? UNITS : UNITS.slice(1)
      return units.filter((unit) => name.endsWith(unit)).map((unit) => cut(name, unit))
    })
}

function cut(name: string, end: string): string {
  return name.slice(0, name.length - end.length)
}

/** The fields that the capability names for these parameters, if all of them are declared. */
function listWatchedFields(
  law: CapabilityLaw,
  params: CompileInput['proposal']['params'],
): readonly string[] {
  try {
    const names = Object.keys(law.jit(params))
    return names.every((name) => law.description.jit_fields?.includes(name)) ? names : []
  } catch {
    return []
  }
}

function listMeasures(limit: Limit): readonly string[] {
  if (limit.kind === 'state_match') return []
  if (limit.kind === 'ratio') return [limit.measure, limit.of]
  return limit.measure === undefined ? [] : [limit.measure]
}

const isMeasured = (limit: Limit, law: CapabilityLaw): boolean =>
  listMeasures(limit).every((measure) => law.description.measures.includes(measure))

export function isContractAnswered(
  { proposal: { policy_kind: kind, params } }: CompileInput,
  law: CapabilityLaw,
  contract: Contract,
): boolean {
  if (law.description.touches === 'none') return true
  const bounds = listBoundFields(contract, kind)
  const fields = bounds.length === 0 ? [] : listWatchedFields(law, params)
  return (
    [...collectSets(contract, kind).keys()].every((set) =>
      Object.hasOwn(law.description.scopes, set),
    ) &&
    bounds.every((meant) => meant.some((field) => fields.includes(field))) &&
    contract.permissions.limits.every(
      (limit) => !isMeant(limit.applies_to, kind) || isMeasured(limit, law),
    )
  )
}

const COUNTED_ELSEWHERE = ['calls', 'tokens', 'wall_ms', 'usd', 'window_s']

/** No budget of the flow or of the agent is of something that is measured here and costs nothing. */
export function isEveryBudgetCounted(
  { contract, facts, writs }: CompileInput,
  { description: { measures, touches } }: CapabilityLaw,
  cost: Units,
): boolean {
  const ofAgent = Object.keys(contract?.safety_rules.budget_per_agent ?? {})
  const ofFlow = facts.value.budgets.flatMap((row) =>
    row.writ === writs[0]?.id ? [row.measure] : [],
  )
  const bound = [...ofAgent, ...ofFlow].filter((name) => !COUNTED_ELSEWHERE.includes(name))
  return touches === 'none' || !bound.some((name) => measures.includes(name) && !cost.has(name))
}

/** A limit that nobody measures was told already; without an amount it asks nothing of nothing. */
export function limitMatters(limit: Limit, params: unknown, law: CapabilityLaw): boolean {
  if (!isMeasured(limit, law)) return false
  const field = limit.kind === 'range' || limit.kind === 'set' ? limit.field : undefined
  if (law.description.touches !== 'none' || field === undefined) return true
  return findPlaces(params, field).some(({ value, blocked }) => blocked || value !== undefined)
}

export function isAllowedByContract(
  named: NamedSets,
  { proposal, rules }: CompileInput,
  contract: Contract,
): boolean {
  const granted = collectSets(contract, proposal.policy_kind)
  return [...named].every(([set, values]) =>
    values.every((value) =>
      (granted.get(set) ?? []).some((pattern) => isMatch(pattern, value, rules.regex)),
    ),
  )
}

/** Of each writ in which no scope admits the whole call: what its first scope says to it. */
export function listWritRefusals(
  named: NamedSets,
  { proposal: { policy_kind: kind }, writs, rules }: CompileInput,
  law: CapabilityLaw,
): readonly ReasonCode[] {
  return writs.flatMap(({ body }) => {
    const scopes = body.scopes.filter((scope) => isKindMatch(scope.kind, kind))
    const said = scopes.map(({ kind: meant, resources = {} }) => {
      const asked =
        law.description.touches !== 'none' && (meant === kind || !RESERVED.includes(kind))
      const unanswered = asked && Object.keys(resources).some((set) => !named.has(set))
      const outside = [...named].some(([set, values]) => {
        const patterns = resources[set]
        if (patterns === undefined) return false
        return !values.every((value) => patterns.some((one) => isMatch(one, value, rules.regex)))
      })
      const codes: ReasonCode[] = []
      if (unanswered) codes.push('CONTRACT_UNANSWERED')
      if (outside) codes.push('RESOURCE_SCOPE')
      return codes
    })
    if (said.some((codes) => codes.length === 0)) return []
    return said[0] ?? (named.size === 0 ? [] : ['RESOURCE_SCOPE' as const])
  })
}
