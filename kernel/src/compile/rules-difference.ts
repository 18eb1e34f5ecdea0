/** How the rules that a process holds differ from the recorded ones, and what an operator accepts. */
import type { Address } from '../canonical/address.ts'
import { computeAddress } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { isNewerVersion } from '../ledger/newer-version.ts'
import { findCountingEnd, type RecordedRules } from '../ledger/recorded-rules.ts'
import type { PolicyRecord, RuleSet } from '../ledger/rules-payload.ts'
import { isReserved } from '../proposal/reserved-kind.ts'

/** What a process was started with. */
export type HeldRules = {
  readonly hash: Address
  readonly rules: RuleSet
  readonly capabilities: readonly { readonly kind: string; readonly hash: Address }[]
}

export type RulesChange = {
  /** `version`: of the compiler, an evaluator or a reserved kind, which come with the software. */
  readonly what: 'policy' | 'capability' | 'version' | 'topology' | 'topic'
  readonly name: string
  readonly change: 'added' | 'changed' | 'gone'
  readonly from?: string
  readonly to?: string
}

/** Whether what is held counts, and until when where something else has taken its place. */
export type RulesStanding =
  | { readonly kind: 'in_force'; readonly until: string | null }
  | { readonly kind: 'not_in_force' }

export function computeRulesStanding(
  recorded: RecordedRules | null,
  held: HeldRules,
): RulesStanding {
  if (recorded === null) return { kind: 'not_in_force' }
  const ends: string[] = []
  const hashes = [
    findCountingEnd(recorded.law, held.hash),
    ...held.capabilities.map(({ kind, hash }) => findCountingEnd(recorded.hashes.get(kind), hash)),
  ]
  for (const until of hashes) {
    if (until === undefined) return { kind: 'not_in_force' }
    if (until !== null) ends.push(until)
  }
  return { kind: 'in_force', until: ends.sort()[0] ?? null }
}

export function isStandingAt(standing: RulesStanding, now: string): boolean {
  return standing.kind === 'in_force' && (standing.until === null || now < standing.until)
}

/** What would change if what is held were recorded. Capabilities that are not held stay as they are. */
export function compareRules(
  recorded: RecordedRules | null,
  held: HeldRules,
): readonly RulesChange[] {
  const rules = recorded?.rules
  return [
    ...findChanges('version', collectVersions(rules), collectVersions(held.rules)),
    ...findChanges('policy', collectPolicies(rules), collectPolicies(held.rules)),
    ...orderChange(rules, held.rules),
    ...findChanges('topology', collectRows(rules?.topologies), collectRows(held.rules.topologies)),
    ...findChanges('topic', collectRows(rules?.topics), collectRows(held.rules.topics)),
    ...findCapabilityChanges(recorded, held),
  ]
}

/** Holding fewer capabilities than are recorded is no difference that matters. */
export function isBlocking({ what, change }: RulesChange): boolean {
  return what !== 'capability' || change !== 'gone'
}

/**
 * A compiler that is newer than every recorded one, with the same policies and capabilities, needs
 * nobody's yes. One that was recorded before was taken back by somebody. It is judged by the records
 * themselves, not by the difference, which is for people.
 */
export function isUpgradeAlone(recorded: RecordedRules, held: HeldRules): boolean {
  const { compiler_version, policies, evaluators, topologies = [], topics = [] } = held.rules
  const isRecorded = ({ kind, hash }: HeldRules['capabilities'][number]): boolean =>
    isReserved(kind) || recorded.hashes.get(kind)?.hash === hash
  const isSameOrNewer = ([name, before]: readonly [string, string]): boolean => {
    const after = evaluators[name]
    return after === undefined || after === before || isNewerVersion(after, before)
  }
  return (
    isNewerVersion(compiler_version, recorded.newest) &&
    toCanonicalText(policies) === toCanonicalText(recorded.rules.policies) &&
    toCanonicalText(topologies) === toCanonicalText(recorded.rules.topologies ?? []) &&
    toCanonicalText(topics) === toCanonicalText(recorded.rules.topics ?? []) &&
    held.capabilities.every(isRecorded) &&
    Object.entries(recorded.rules.evaluators).every(isSameOrNewer)
  )
}

/**
 * What a yes is given to: this change, at this place of the ledger, and no other. It names the entry
 * that is replaced, so that a yes that stands in a start script does not bring rules back after others
 * were recorded, nor when the ones before them are in force again.
 */
export function hashAcceptance(
  recorded: RecordedRules | null,
  held: HeldRules,
  sha256: Sha256,
): Address {
  const to = held.capabilities.map(({ kind, hash }) => [kind, hash] as const)
  const from = to.map(([kind]) => [kind, recorded?.hashes.get(kind)?.hash ?? null] as const)
  const change: JsonObject = {
    from: {
      entry: recorded?.entry ?? null,
      rules_hash: recorded?.law.hash ?? null,
      capabilities: Object.fromEntries(from),
    },
    to: { rules_hash: held.hash, capabilities: Object.fromEntries(to) },
  }
  return computeAddress('acceptance', change, sha256)
}

type Named = ReadonlyMap<string, string>

function findChanges(what: RulesChange['what'], from: Named, to: Named): readonly RulesChange[] {
  const found: RulesChange[] = []
  for (const [name, text] of to) {
    const before = from.get(name)
    if (before === undefined) found.push({ what, name, change: 'added', to: text })
    else if (before !== text) found.push({ what, name, change: 'changed', from: before, to: text })
  }
  for (const [name, text] of from)
    if (!to.has(name)) found.push({ what, name, change: 'gone', from: text })
  return found
}

function collectVersions(rules: RuleSet | undefined): Named {
  if (rules === undefined) return new Map()
  const { compiler_version, reason_table, evaluators } = rules
  return new Map([
    ['compiler', compiler_version],
    ['reason table', reason_table],
    ...Object.entries(evaluators),
  ])
}

/** Two policies of one name are told apart by their place. */
function collectPolicies(rules: RuleSet | undefined): Named {
  const named = new Map<string, string>()
  for (const policy of rules?.policies ?? []) {
    const { name } = policy
    const key = named.has(name) ? `${name} (${named.size + 1})` : name
    named.set(key, formatPolicy(policy))
  }
  return named
}

/** By place: which of two rows was meant cannot be told. */
function collectRows(rows: readonly JsonObject[] = []): Named {
  return new Map(rows.map((row, index) => [`row ${index + 1}`, toCanonicalText(row)]))
}

/** What is shown is what is compared: joined words of two records may be equal. */
function formatPolicy({ name: _, ...record }: PolicyRecord): string {
  return toCanonicalText(record)
}

/** The same policies in another order are other rules. */
function orderChange(from: RuleSet | undefined, to: RuleSet): readonly RulesChange[] {
  if (from === undefined) return []
  const listPolicyNames = ({ policies }: RuleSet): readonly string[] =>
    policies.map(({ name }) => name)
  const [before, after] = [listPolicyNames(from), listPolicyNames(to)] as const
  const formatSorted = (names: readonly string[]): string => toCanonicalText([...names].sort())
  const isSame = toCanonicalText(before) === toCanonicalText(after)
  if (isSame || formatSorted(before) !== formatSorted(after)) return []
  return [{ what: 'policy', name: 'order', change: 'changed', to: after.join(', ') }]
}

function findCapabilityChanges(
  recorded: RecordedRules | null,
  held: HeldRules,
): readonly RulesChange[] {
  const recordedHashes = [...(recorded?.hashes ?? [])].map(
    ([kind, { hash }]) => [kind, hash] as const,
  )
  const heldHashes = held.capabilities.map(({ kind, hash }) => [kind, hash] as const)
  const found = findChanges('capability', new Map(recordedHashes), new Map(heldHashes))
  return found.map((one) => (isReserved(one.name) ? { ...one, what: 'version' as const } : one))
}
