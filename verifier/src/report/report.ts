import type { KeyRecord, ReasonCode } from 'rubicon-kernel'

/**
 * How much is asked: hashes, chains and tree; signatures too; or whether everything could come to stand
 * where it stands. Of the trajectories `authority` and `erasure` everything is asked at every depth.
 */
export type Depth = 'structure' | 'signatures' | 'fold'

/** Where something is wrong. All null: the header, the keys or the checkpoint. */
export type Place = {
  /** Index in the tenant's tree; in a file, the line after the header, from 0. */
  readonly leaf: number | null
  readonly trajectory: string | null
  readonly seq: number | null
}

export type Problem = {
  readonly code: ReasonCode
  readonly detail: string
  /** Where something stands in place of another: what the rest says it is, and what stands there. */
  readonly expected?: string
  readonly found?: string
}
export type Finding = Place & Problem

export type Report = {
  readonly ok: boolean
  /**
   * What it is worth that all holds: `trusted` only if a key or checkpoint obtained elsewhere was
   * given, and agrees. Null where something does not hold.
   */
  readonly strength: 'self-consistent' | 'trusted' | null
  /** How much was asked. */
  readonly depth: Depth
  readonly entries: number
  /** Payloads that were erased: their hashes stand, their content cannot be checked. */
  readonly erased: number
  /** Payloads that lie in an archive which was not at hand: likewise, until it is. */
  readonly archived: number
  /** Effects of a bundle that were dispatched, and of which it shows no outcome; null for a ledger. */
  readonly unsettled: number | null
  readonly checkpoint: CheckpointSummary | null
  /** What the entries add up to; null for a bundle, which does not hold them all. */
  readonly tree: TreeSummary | null
  readonly fingerprints: readonly Fingerprint[]
  readonly findings: readonly Finding[]
  /** Findings beyond the limit, counted and not listed. */
  readonly left_off: number
  readonly compiler_versions: readonly string[]
  readonly rules_seen: readonly string[]
  readonly signatures: { readonly checked: number }
}

export type TreeSummary = { readonly size: number; readonly root: string }
export type CheckpointSummary = TreeSummary & { readonly origin: string }
export type Fingerprint = Pick<KeyRecord, 'key_id' | 'purpose' | 'subject'>

export const NOWHERE: Place = { leaf: null, trajectory: null, seq: null }

const MOST_FINDINGS = 10_000

export type Findings = {
  readonly add: (place: Place, problems: readonly Problem[]) => void
  readonly has: (code: ReasonCode) => boolean
  readonly count: () => number
  readonly list: () => readonly Finding[]
  readonly leftOff: () => number
}

/** Collects findings; by leaf, those of the whole last, else in the order in which they came. */
export function createFindings(): Findings {
  const findings: Finding[] = []
  let leftOff = 0

  const add = (place: Place, problems: readonly Problem[]): void => {
    const { leaf, trajectory, seq } = place
    for (const problem of problems) {
      if (findings.length < MOST_FINDINGS) findings.push({ leaf, trajectory, seq, ...problem })
      else leftOff += 1
    }
  }

  return {
    add,
    has: (code) => findings.some((finding) => finding.code === code),
    count: () => findings.length + leftOff,
    list: () => findings.toSorted((a, b) => order(a) - order(b)),
    leftOff: () => leftOff,
  }
}

function order({ leaf }: Finding): number {
  return leaf ?? Number.MAX_SAFE_INTEGER
}
