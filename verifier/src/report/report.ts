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
  /** The chain of entries. */
  readonly trajectory: string | null
  /** Its place in that chain. */
  readonly seq: number | null
}

/** What is wrong, in itself. */
export type Problem = {
  /** As `rubicon explain` knows it. */
  readonly code: ReasonCode
  /** In words. */
  readonly detail: string
  /** Where something stands in place of another: what the rest says it is. */
  readonly expected?: string
  /** What stands there. */
  readonly found?: string
}

/** What is wrong, and where. */
export type Finding = Place & Problem

/** What a verifier says. */
export type Report = {
  /** Nothing is wrong. */
  readonly ok: boolean
  /**
   * What it is worth that all holds: `trusted` only if a key or checkpoint obtained elsewhere was
   * given, and agrees. Null where something does not hold.
   */
  readonly strength: 'self-consistent' | 'trusted' | null
  /** How much was asked. */
  readonly depth: Depth
  /** Entries that were checked. */
  readonly entries: number
  /** Payloads that were erased: their hashes stand, their content cannot be checked. */
  readonly erased: number
  /** Payloads that lie in an archive which was not at hand: likewise, until it is. */
  readonly archived: number
  /** Effects of a bundle that were dispatched, and of which it shows no outcome; null for a ledger. */
  readonly unsettled: number | null
  /** The checkpoint that covers them; null: none. */
  readonly checkpoint: CheckpointSummary | null
  /** What the entries add up to; null for a bundle, which does not hold them all. */
  readonly tree: TreeSummary | null
  /** The keys that signed. */
  readonly fingerprints: readonly Fingerprint[]
  /** What is wrong, by place. */
  readonly findings: readonly Finding[]
  /** Findings beyond the limit, counted and not listed. */
  readonly left_off: number
  /** Versions of the kernel that decided. */
  readonly compiler_versions: readonly string[]
  /** Hashes of the rules under which was decided. */
  readonly rules_seen: readonly string[]
  /** How many signatures were checked. */
  readonly signatures: { readonly checked: number }
}

/** What entries add up to. */
export type TreeSummary = {
  /** How many entries. */
  readonly size: number
  /** Of their Merkle tree, in base64. */
  readonly root: string
}

/** A signed checkpoint. */
export type CheckpointSummary = TreeSummary & {
  /** The log that it is of. */
  readonly origin: string
}

/** A key that the file states, for whoever compares it by eye. */
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
