/**
 * Does an entry follow the head of its trajectory? One answer for verifier, replay and store.
 *
 * C1 `seq` is contiguous from 0, `parent` is the id before it, time does not run backwards.
 * C2 a trajectory begins with `root` or `branch`, and with nothing else; authority with `root`.
 * C3 authority kinds stand in the authority trajectory and erasures in theirs, all others outside
 *    both; events stand in main.
 */
import type { Address } from '../canonical/address.ts'
import { AUTHORITY, type EntryKind, type Envelope, ERASURE, type Head, MAIN } from './entry.ts'

export type LinkProblem = {
  readonly code: 'ENTRY_SEQUENCE' | 'ENTRY_PARENT'
  readonly detail: string
}

const AUTHORITY_KINDS: ReadonlySet<EntryKind> = new Set<EntryKind>([
  'key',
  'contract',
  'lifecycle',
  'revocation',
  'policy',
  'anchor',
  'source',
  'person',
])

export function isAuthorityKind(kind: EntryKind): boolean {
  return AUTHORITY_KINDS.has(kind)
}

/** `forkedFrom`: the id of the entry that a `branch` says it forks from, if there is such one. */
export function findLinkProblems(
  envelope: Envelope,
  head: Head | undefined,
  forkedFrom: Address | null = null,
): readonly LinkProblem[] {
  const sequence = findPlaceProblem(envelope) ?? findSequenceProblem(envelope, head)
  const parent = findParentProblem(envelope, head, forkedFrom)
  const problems: LinkProblem[] = []
  if (sequence !== undefined) problems.push({ code: 'ENTRY_SEQUENCE', detail: sequence })
  if (parent !== undefined) problems.push({ code: 'ENTRY_PARENT', detail: parent })
  return problems
}

/** The kind against its trajectory: a revocation outside authority would bind nobody. */
export function findPlaceProblem({ kind, trajectory, seq }: Envelope): string | undefined {
  const isFirst = kind === 'root' || kind === 'branch'
  if (isFirst && seq !== 0) return `\`${kind}\` stands at seq ${seq}, not first`
  if (!isFirst && seq === 0) return `the first entry is a \`${kind}\`, not root or branch`
  if (kind === 'root') return undefined
  const home = findHome(kind)
  if (home !== undefined)
    return trajectory === home ? undefined : `\`${kind}\` stands outside ${home}`
  return isFlowTrajectory(trajectory) ? undefined : `\`${kind}\` stands in ${trajectory}`
}

/** Whether entries of flows may stand there. */
export function isFlowTrajectory(trajectory: string): boolean {
  return trajectory !== AUTHORITY && trajectory !== ERASURE
}

/** The one trajectory in which a kind may stand; undefined: any that takes flows. */
function findHome(kind: EntryKind): string | undefined {
  if (isAuthorityKind(kind)) return AUTHORITY
  if (kind === 'erasure') return ERASURE
  return kind === 'event' ? MAIN : undefined
}

function findSequenceProblem(envelope: Envelope, head: Head | undefined): string | undefined {
  const { seq, at } = envelope
  const expected = head === undefined ? 0 : head.seq + 1
  if (seq !== expected) return `seq is ${seq}, expected ${expected}`
  // The texts have one fixed form, so that their order is the order of times.
  if (head !== undefined && at < head.at) return `time runs backwards from ${head.at} to ${at}`
  return undefined
}

function findParentProblem(
  { kind, parent }: Envelope,
  head: Head | undefined,
  forkedFrom: Address | null,
): string | undefined {
  const expected = head !== undefined ? head.id : kind === 'branch' ? forkedFrom : null
  if (kind === 'branch' && expected === null) return 'the entry it forks from is not in the ledger'
  if (parent === expected) return undefined
  return expected === null ? 'a first entry has a parent' : 'parent is not the entry before it'
}
