/**
 * The rules in force at a position: the fold of the `policy` entries that record them.
 *
 * What replaces something may let it count until a time (`previous_until`), so that processes can be
 * exchanged one after another. Only what was replaced last is let count: two steps back is another law.
 */
import type { Address } from '../canonical/address.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { isNewerVersion } from './newer-version.ts'
import type { CapabilityRecord, RuleSet, RulesBody } from './rules-payload.ts'

/** What is recorded, and what it replaced while that still counts. */
export type RecordedHash = {
  readonly hash: Address
  readonly former: { readonly hash: Address; readonly until: string } | null
}

export type RecordedRules = {
  readonly law: RecordedHash
  readonly rules: RuleSet
  readonly texts: Readonly<Record<string, string>>
  /** As recorded last. One that no process holds any more stays recorded, and harms nobody. */
  readonly capabilities: readonly CapabilityDescription[]
  /** Their hashes, by kind. */
  readonly hashes: ReadonlyMap<string, RecordedHash>
  /** Those that change nothing, by hash: all that were ever recorded, as intents name what they were made by. */
  readonly reads: ReadonlySet<Address>
  /** The newest compiler that any rules were ever recorded with: also one that was taken back. */
  readonly newest: string
  /** The entry that last changed any of it. */
  readonly entry: Address
}

export function foldRules(
  before: RecordedRules | null,
  { rules_hash, rules, texts, capabilities, previous_until }: RulesBody,
  entry: Address,
): RecordedRules {
  const law = replaceHash(before?.law, rules_hash, previous_until)
  const { compiler_version } = rules
  const isNewest = before === null || isNewerVersion(compiler_version, before.newest)
  const newest = isNewest ? compiler_version : before.newest
  const described = foldCapabilities(before, capabilities, previous_until)
  return { law, rules, texts, newest, entry, ...described }
}

/** Before any rules are recorded a capability stands beside nothing. */
export function foldCapability(
  before: RecordedRules | null,
  record: CapabilityRecord & { readonly previous_until?: string },
  entry: Address,
): RecordedRules | null {
  if (before === null) return null
  return { ...before, entry, ...foldCapabilities(before, [record], record.previous_until) }
}

function foldCapabilities(
  before: RecordedRules | null,
  records: readonly CapabilityRecord[],
  until: string | undefined,
): Pick<RecordedRules, 'capabilities' | 'hashes' | 'reads'> {
  const hashes = new Map(before?.hashes ?? [])
  const reads = new Set(before?.reads ?? [])
  const described = new Map((before?.capabilities ?? []).map((one) => [one.kind, one]))
  for (const { capability, capability_hash } of records) {
    hashes.set(capability.kind, replaceHash(hashes.get(capability.kind), capability_hash, until))
    described.set(capability.kind, capability)
    if (capability.effect === 'read') reads.add(capability_hash)
  }
  return { capabilities: [...described.values()], hashes, reads }
}

function replaceHash(
  before: RecordedHash | undefined,
  hash: Address,
  until: string | undefined,
): RecordedHash {
  const stays = before !== undefined && before.hash !== hash && until !== undefined
  return { hash, former: stays ? { hash: before.hash, until } : null }
}

/** The hashes that count at a time: the recorded one, and what it replaced until its time is over. */
export function listCountingHashes(
  recorded: RecordedHash | undefined,
  now: string,
): readonly Address[] {
  if (recorded === undefined) return []
  const { hash, former } = recorded
  return former !== null && now < former.until ? [hash, former.hash] : [hash]
}

/** Until when a hash counts: null for as long as nothing else is recorded, undefined not at all. */
export function findCountingEnd(
  recorded: RecordedHash | undefined,
  held: string,
): string | null | undefined {
  if (recorded === undefined) return undefined
  if (recorded.hash === held) return null
  return recorded.former?.hash === held ? recorded.former.until : undefined
}
