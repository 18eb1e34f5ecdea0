/**
 * What a bundle must not leave out: how its flows were opened, and the authority that they stood on. A
 * bundle that shows neither would prove nothing of its flow, and be believed.
 */
import { AUTHORITY } from 'rubicon-kernel'
import { type ReadEntry, toPlace } from '../reading/read-entry.ts'
import { NOWHERE, type Place, type Problem } from '../report/report.ts'
import { findAncestry } from './verify-flow.ts'

type PlacedProblem = { readonly place: Place; readonly problem: Problem }

export function findOmissionProblems(
  dfid: string,
  entries: readonly ReadEntry[],
): readonly PlacedProblem[] {
  return [...findUnopenedFlows(dfid, entries), ...findAuthorityGaps(entries)]
}

/** Of the flow, of those above it, and of those in which it was chosen to undo what it did. */
function findUnopenedFlows(dfid: string, entries: readonly ReadEntry[]): readonly PlacedProblem[] {
  const opened = new Set(entries.filter(isOpening).map(({ envelope }) => envelope.dfid))
  return [...findAncestry(dfid, entries)]
    .filter((flow) => !opened.has(flow))
    .map((flow) => toOmissionProblem(NOWHERE, `how flow \`${flow}\` was opened is left out`))
}

/** Of an erased one the payload does not tell. */
function isOpening({ envelope, payload }: ReadEntry): boolean {
  if (envelope.kind !== 'writ' || envelope.dfid === undefined) return false
  return payload?.kind !== 'writ' || payload.payload.flow?.dfid === envelope.dfid
}

/** All that stands before the last entry of a flow is there, and all that a dispatch has seen. */
function findAuthorityGaps(entries: readonly ReadEntry[]): readonly PlacedProblem[] {
  const isAuthority = ({ envelope }: ReadEntry): boolean => envelope.trajectory === AUTHORITY
  const last = entries.findLastIndex((entry) => !isAuthority(entry))
  const found: PlacedProblem[] = []
  let next = 0
  for (const entry of entries.slice(0, last + 1)) {
    const { seq, authority_seq = -1 } = entry.envelope
    if (isAuthority(entry)) {
      if (seq > next) found.push(toOmissionProblem(toPlace(entry), `authority ${next} is left out`))
      next = Math.max(next, seq + 1)
    } else if (authority_seq >= next) {
      found.push(
        toOmissionProblem(
          toPlace(entry),
          `authority ${authority_seq}, which it cites, is left out`,
        ),
      )
    }
  }
  return found
}

function toOmissionProblem(place: Place, detail: string): PlacedProblem {
  return { place, problem: { code: 'ENTRY_SEQUENCE', detail } }
}

/** How many effects were dispatched of which no outcome is shown, or none that is final. */
export function countUnsettled(entries: readonly ReadEntry[]): number {
  const open = new Set<string>()
  for (const { payload } of entries) {
    if (payload?.kind === 'dispatch') {
      const { payload: sent } = payload
      open.add('intent' in sent ? sent.intent.intent_id : sent.intent_id)
    } else if (payload?.kind === 'commit') {
      open.delete(payload.payload.intent_id)
    } else if (payload?.kind === 'settle') {
      const { intent_id, status } = payload.payload
      if (status === 'UNKNOWN' || status === 'MANUAL_REVIEW') open.add(intent_id)
      else open.delete(intent_id)
    }
  }
  return open.size
}
