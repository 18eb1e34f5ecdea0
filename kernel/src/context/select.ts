/** Which items of each layer an agent may see at all, before anyone counts tokens. */
import { assert } from '../assert.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { parseInstant } from '../canonical/time.ts'
import { isPrefixMatch } from '../contract/pattern.ts'
import { isEscalationPath } from '../escalation/escalation-path.ts'
import type { StateFact } from '../fact/state-fact.ts'
import type { WorldFact } from '../world/world-fact.ts'
import type { ArtifactRef, LayerRecord } from './layers.ts'
import { compare, sortItems } from './order.ts'

export type Known<T> = {
  readonly kept: readonly T[]
  /** The names of the others. */
  readonly left: readonly string[]
}

/**
 * State facts by path. What somebody is asked to decide is for that agent alone, whatever its contract
 * says about reading: `asked` are the paths at which it stands. To others it does not exist.
 */
export function selectReadableState(
  facts: readonly StateFact[],
  reads: readonly string[],
  asked: readonly string[] = [],
): Known<StateFact> {
  const sorted = sortItems(facts, (a, b) => compare(a.path, b.path))
  const common = sorted.filter(({ path }) => !isEscalationPath(path) && !asked.includes(path))
  const isReadable = ({ path }: StateFact): boolean => isNameReadable(path, reads)
  const { kept, left } = selectFacts(common, isReadable, ({ path }) => path)
  const shown = new Set([...kept, ...sorted.filter(({ path }) => asked.includes(path))])
  return { kept: sorted.filter((fact) => shown.has(fact)), left }
}

/**
 * Facts of artifacts hold lines of their texts. Who may read those is said by symbols, and judged where one is read
 * (`artifact.read`): a context shows them to nobody, whatever its contract says about reading.
 */
const WITHHELD: ReadonlySet<string> = new Set(['artifact', 'artifact_plan', 'artifact_root'])

export function isWithheldKind(kind: string): boolean {
  return WITHHELD.has(kind)
}

/** World resources by kind and id. They are named as State is: `kind.id`. */
export function selectReadableWorld(
  facts: readonly WorldFact[],
  reads: readonly string[],
): Known<WorldFact> {
  const sorted = sortItems(facts, (a, b) => compare(a.kind, b.kind) || compare(a.id, b.id))
  const formatName = ({ kind, id }: WorldFact): string => `${kind}.${id}`
  const isReadable = (fact: WorldFact): boolean =>
    !isWithheldKind(fact.kind) && isNameReadable(formatName(fact), reads)
  return selectFacts(sorted, isReadable, formatName)
}

/** A contract without `reads` restricts nothing: its agent sees what its flow was opened for. */
export function isNameReadable(name: string, reads: readonly string[]): boolean {
  return reads.length === 0 || reads.some((pattern) => isPrefixMatch(pattern, name))
}

function selectFacts<T>(
  facts: readonly T[],
  isReadable: (fact: T) => boolean,
  nameOf: (fact: T) => string,
): Known<T> {
  const left = facts.filter((fact) => !isReadable(fact)).map(nameOf)
  return { kept: facts.filter(isReadable), left: [...new Set(left)] }
}

/** The newest of those that are not older than `since`, oldest first. */
export function selectRecent<T extends JsonValue & { readonly at: string }>(
  records: readonly LayerRecord<T>[],
  most: number,
  since: number = 0,
): readonly T[] {
  const dated = records.map(({ key, body }) => ({ key, body, ms: toEpochMs(body.at) }))
  const inWindow = dated.filter(({ ms }) => ms >= since)
  const sorted = sortItems(inWindow, (a, b) => compare(a.ms, b.ms) || compare(a.key, b.key))
  return sorted.slice(Math.max(0, sorted.length - most)).map(({ body }) => body)
}

/** The highest ranked, best first. */
export function selectBest(
  artifacts: readonly ArtifactRef[],
  most: number,
): readonly ArtifactRef[] {
  const sorted = sortItems(
    artifacts,
    (a, b) =>
      compare(b.score, a.score) || compare(a.artifact, b.artifact) || compare(a.chunk, b.chunk),
  )
  return sorted.slice(0, most)
}

function toEpochMs(at: string): number {
  const ms = parseInstant(at)
  assert(ms !== undefined, 'what a layer holds has a time')
  return ms
}
