/**
 * The facts behind a request as they were when it was made, and as they are now.
 *
 * A value that the law lets move (`jit`, within its envelope) has not moved for whoever decides; every
 * other difference has. So a ticking price takes nobody's button away, and a moved position does.
 */
import {
  type Address,
  computeAddress,
  type FactLabel,
  type Facts,
  type JsonValue,
  reportDrift,
  type Sha256,
  toCanonicalText,
} from 'rubicon-kernel'
import type { AsIfApproved } from './as-if-approved.ts'

export type BriefFact = {
  readonly layer: 'state' | 'world'
  /** A path of State, or kind and id of a resource of World. */
  readonly name: string
  readonly source: string
  readonly label: FactLabel
  /** Of the value as it is; null: the ledger says it, and nobody observed it. */
  readonly observed_at: string | null
  readonly version: string
  /** Null: it was not there. */
  readonly was: JsonValue
  readonly is: JsonValue
  readonly moved: boolean
}

type Named = Omit<BriefFact, 'was' | 'is' | 'moved'> & { readonly value: JsonValue }

/** `live` is null where nobody can say what they are now: they are shown as they were. */
export function buildBriefFacts(
  recorded: Facts | null,
  live: AsIfApproved | null,
): readonly BriefFact[] {
  const before = recorded === null ? new Map<string, Named>() : indexFacts(recorded)
  const now = live?.facts == null ? before : indexFacts(live.facts)
  const tolerated = live === null ? new Set<string>() : listToleratedPaths(live)
  const names = [...new Set([...before.keys(), ...now.keys()])].sort()
  return names.flatMap((key) => {
    const [old, current] = [before.get(key), now.get(key)]
    const shown = current ?? old
    if (shown === undefined) return []
    const { value: _, ...fact } = shown
    const [was, is] = [old?.value ?? null, current?.value ?? null]
    const moved = toCanonicalText(was) !== toCanonicalText(is) && !tolerated.has(fact.name)
    return [{ ...fact, was, is, moved }]
  })
}

function indexFacts({ state, world }: Facts): ReadonlyMap<string, Named> {
  const found = new Map<string, Named>()
  for (const { path, value, source, label, observed_at, version } of state)
    found.set(`state ${path}`, {
      layer: 'state',
      name: path,
      source,
      label,
      observed_at,
      version,
      value,
    })
  for (const { kind, id, value, version, retracted } of world)
    found.set(`world ${kind}/${id}`, {
      layer: 'world',
      name: `${kind}/${id}`,
      source: 'ledger',
      label: 'trusted',
      observed_at: null,
      version: String(version),
      value: retracted ? null : value,
    })
  return found
}

/** Paths whose movement since the agent looked is within what the contract and the proposal allow. */
function listToleratedPaths({ facts, proposal, contract, law }: AsIfApproved): ReadonlySet<string> {
  if (facts === null || contract === null) return new Set()
  const report = reportDrift({ facts, proposal, contract, law, measures: {} })
  return new Set(report.filter(({ within }) => within).map(({ path }) => path))
}

/** What a decision made on these facts is bound to: another value that counts, another address. */
export function hashShownFacts(
  request: string,
  facts: readonly BriefFact[],
  sha256: Sha256,
): Address {
  const values = facts.map(({ layer, name, was, is, moved }) => [layer, name, moved ? is : was])
  return computeAddress('shown_facts', { request, facts: values }, sha256)
}

export type MovedFact = Pick<BriefFact, 'layer' | 'name' | 'was' | 'is'>

export function selectMovedFacts(facts: readonly BriefFact[]): readonly MovedFact[] {
  return facts
    .filter(({ moved }) => moved)
    .map(({ layer, name, was, is }) => ({ layer, name, was, is }))
}
