import {
  type Address,
  AUTHORITY,
  type Envelope,
  encodeHex,
  findLinkProblems,
  findPlaceProblem,
  type Head,
  type LinkProblem,
} from 'rubicon-kernel'
import type { ReadEntry } from '../reading/read-entry.ts'
import type { Problem } from '../report/report.ts'
import { decodeIdBytes } from './tree.ts'

export type Chains = {
  /** Does the entry follow the one before it in its trajectory? Then it is the head. */
  readonly check: (entry: ReadEntry) => readonly Problem[]
  /** The seq of the last authority entry so far; -1 when there is none. */
  readonly authoritySeq: () => number
}

/**
 * `whole`: every entry of every trajectory is here. In a bundle some are left out; there only
 * neighbours are compared, and the inclusion proofs say that each stands where it claims.
 */
export function createChains(stated: string | undefined, whole: boolean): Chains {
  const heads = new Map<string, Head>()
  const ids = new Map<string, IdLog>()
  /** Without a header the first entry says whose ledger it is. */
  let tenant = stated

  const findForkId = ({ payload }: ReadEntry): Address | null => {
    if (payload?.kind !== 'branch') return null
    const { trajectory, seq, id } = payload.payload.source
    return ids.get(trajectory)?.getId(seq) === id ? id : null
  }

  const findEntryLinkProblems = (entry: ReadEntry): readonly LinkProblem[] => {
    const { envelope } = entry
    const head = heads.get(envelope.trajectory)
    tenant ??= envelope.tenant
    if (envelope.tenant !== tenant) {
      return [{ code: 'ENTRY_SEQUENCE', detail: `the tenant is \`${envelope.tenant}\`` }]
    }
    if (whole) return findLinkProblems(envelope, head, findForkId(entry))
    return findNeighbourProblems(entry, head)
  }

  const check = (entry: ReadEntry): readonly Problem[] => {
    const { envelope, id } = entry
    const head = heads.get(envelope.trajectory)
    const problems = findEntryLinkProblems(entry).map((problem) =>
      addComparedIds(problem, envelope, head),
    )
    heads.set(envelope.trajectory, { seq: envelope.seq, id, at: envelope.at })
    if (whole) {
      const log = ids.get(envelope.trajectory) ?? createIdLog()
      ids.set(envelope.trajectory, log)
      log.append(envelope.seq, id)
    }
    return problems
  }

  return { check, authoritySeq: () => heads.get(AUTHORITY)?.seq ?? -1 }
}

function addComparedIds(problem: LinkProblem, envelope: Envelope, head: Head | undefined): Problem {
  if (head === undefined || problem.code !== 'ENTRY_PARENT') return problem
  return { ...problem, expected: head.id, found: envelope.parent ?? 'none' }
}

function findNeighbourProblems(entry: ReadEntry, head: Head | undefined): readonly LinkProblem[] {
  const { envelope } = entry
  if (head !== undefined && envelope.seq === head.seq + 1) return findLinkProblems(envelope, head)
  const misplaced = findPlaceProblem(envelope)
  if (misplaced !== undefined) return [{ code: 'ENTRY_SEQUENCE', detail: misplaced }]
  if (head === undefined || (envelope.seq > head.seq && envelope.at >= head.at)) return []
  return [{ code: 'ENTRY_SEQUENCE', detail: `seq ${envelope.seq} follows ${head.seq}` }]
}

const NO_ID = new Uint8Array(32)

type IdLog = {
  readonly append: (seq: number, id: Address) => void
  readonly getId: (seq: number) => Address | undefined
}

/** Ids in a piece: one that is full is followed by another, and never copied. */
const PIECE = 4_096

/** Ids by seq, 32 bytes each: a branch may fork from any entry, however old. */
export function createIdLog(): IdLog {
  const pieces: Uint8Array[] = []
  let length = 0
  return {
    append(seq, id) {
      // After a gap nothing more is kept; a seq that an adversary chose must not buy memory.
      if (seq !== length) return
      const at = 32 * (length % PIECE)
      const room = length === 0 ? FEW : PIECE
      if (at === 0) pieces.push(new Uint8Array(32 * room))
      let piece = pieces.at(-1) ?? NO_ID
      if (at === piece.length) {
        // Most trajectories are short; only the first piece grows.
        const larger = new Uint8Array(Math.min(4 * piece.length, 32 * PIECE))
        larger.set(piece)
        pieces[pieces.length - 1] = larger
        piece = larger
      }
      piece.set(decodeIdBytes(id) ?? NO_ID, at)
      length += 1
    },
    getId(seq) {
      if (seq >= length) return undefined
      const at = 32 * (seq % PIECE)
      return `sha256:${encodeHex((pieces[Math.floor(seq / PIECE)] ?? NO_ID).subarray(at, at + 32))}`
    },
  }
}

const FEW = 16
