/**
 * Was every payload that is missing erased by an operator, and nothing else?
 *
 * 1. A payload may be missing only if a signed `erasure` names its place and its leaf.
 * 2. An erasure names payloads of its flow that stand before it and are gone; of a commit, what it made
 *    of the World.
 * 3. A flow is erased once, and nothing is written of it afterwards.
 * 4. A flow is erased whole: what is left of one could be what makes the rest believed.
 * 5. What an operator signed to lie in an archive is not missing; only a store can say so, of its own payloads.
 *
 * An erasure stands behind what it names, so that a missing payload is believed until the end and
 * found out there.
 */
import {
  AUTHORITY,
  type ErasedPayload,
  isArchivable,
  isErasable,
  type WorldLeaf,
} from 'rubicon-kernel'
import { copyText } from '../compact-records/own-text.ts'
import type { PackedMap, Packing } from '../compact-records/packed-map.ts'
import { type ReadEntry, toPlace } from '../reading/read-entry.ts'
import type { Finding, Problem } from '../report/report.ts'

export type Erasures = {
  /** `isSigned`: nothing is wrong with the signature of an erasure. */
  readonly check: (entry: ReadEntry, isSigned: boolean) => readonly Problem[]
  /** What an erased commit made of the World; undefined where nobody says so. */
  readonly worldAt: (leaf: number) => readonly WorldLeaf[] | undefined
  /** At the end: what is missing and was not erased. */
  readonly unsigned: () => readonly Finding[]
  /** How many payloads lie in archives. */
  readonly countArchived: () => number
}

type Missing = {
  readonly entry: ReadEntry
  named: ErasedPayload | null
}

/** Whether the payload of an entry, which is missing, lies in an archive. */
export type IsArchived = (entry: ReadEntry) => boolean

/** That a flow has a payload that is there. */
export type Spoken = PackedMap<true>
export const SPOKEN: Packing<true> = { write: () => {}, read: () => true }

/** `whole`: what an erasure names must be there. `spoken` is filled. */
export function createErasures(
  whole: boolean,
  spoken: Spoken,
  isArchived: IsArchived = () => false,
): Erasures {
  let archived = 0
  const missing = new Map<number, Missing>()
  const flows = new Set<string>()
  const remains = createRemains(spoken)

  const isMissingPayload = (name: ErasedPayload, dfid: string): boolean => {
    const known = missing.get(name.leaf)
    if (known === undefined) return !whole
    const { envelope } = known.entry
    const isThere =
      envelope.trajectory === name.trajectory &&
      envelope.seq === name.seq &&
      envelope.dfid === dfid &&
      (envelope.kind === 'commit') === (name.world !== undefined)
    return isThere && known.named === null
  }

  const matchErasedPayloads = (
    dfid: string,
    payloads: readonly ErasedPayload[],
  ): readonly Problem[] => {
    const found: Problem[] = []
    for (const name of payloads) {
      const known = missing.get(name.leaf)
      if (!isMissingPayload(name, dfid))
        found.push(order(`leaf ${name.leaf} is not a missing payload of its flow`))
      else if (known !== undefined) known.named = name
    }
    return found
  }

  const check = (entry: ReadEntry, isSigned: boolean): readonly Problem[] => {
    const { envelope, payload, payloadText } = entry
    const isAway = payloadText === null && isArchivable(envelope.kind) && isArchived(entry)
    if (isAway) archived += 1
    else if (payloadText === null) missing.set(entry.leaf, { entry, named: null })
    const { dfid, trajectory } = envelope
    const isOver = dfid !== undefined && trajectory !== AUTHORITY && flows.has(dfid)
    const found = isOver ? [order('its flow was erased before it')] : []
    if (!isAway) remains.see(entry)
    if (payload?.kind !== 'erasure' || !isSigned) return found
    const { body } = payload.payload
    flows.add(body.dfid)
    if (remains.has(body.dfid)) found.push(order('it does not erase all of its flow'))
    return [...found, ...matchErasedPayloads(body.dfid, body.payloads)]
  }

  return {
    check,
    worldAt: (leaf) => missing.get(leaf)?.named?.world,
    unsigned: () =>
      [...missing.values()]
        .filter((one) => one.named === null)
        .map(({ entry }) => ({ ...toPlace(entry), ...UNSIGNED })),
    countArchived: () => archived,
  }
}

type Remains = {
  readonly see: (entry: ReadEntry) => void
  /** Whether a payload of the flow is there beside one that is missing. */
  readonly has: (dfid: string) => boolean
}

/** By what is there, never by the kind of what is gone: its envelope says what whoever wrote it wanted. */
function createRemains(spoken: Spoken): Remains {
  const gone = new Set<string>()
  return {
    see({ envelope: { dfid, kind, trajectory }, payloadText }) {
      if (dfid === undefined || trajectory === AUTHORITY || !isErasable(kind)) return
      if (payloadText === null) gone.add(copyText(dfid))
      else if (!spoken.has(dfid)) spoken.set(dfid, true)
    },
    has: (dfid) => gone.has(dfid) && spoken.has(dfid),
  }
}

const UNSIGNED: Problem = {
  code: 'ERASURE_UNSIGNED',
  detail: 'the payload is missing, and no signed erasure names it',
}

function order(detail: string): Problem {
  return { code: 'AUTHORITY_ORDER', detail }
}
