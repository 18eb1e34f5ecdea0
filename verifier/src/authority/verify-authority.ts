/**
 * Was every dispatch inside authority that stood at its place in the tree?
 *
 * A dispatch, or a resend, that cites authority entry n stands between n and n + 1, so that the state folded up to
 * here is the one it must answer to: no earlier state is ever needed.
 */
import { isSend, type KeySet, type PayloadOf } from 'rubicon-kernel'
import type { Kept } from '../compact-records/parts.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import type { Problem } from '../report/report.ts'
import { findAnswerWindow } from './approval-window.ts'
import { formatAskedDecision, isAsked } from './asked-steps.ts'
import { type AuthorityState, createAuthorityState, foldAuthorityEntry } from './authority-state.ts'
import { findUsageProblems } from './counted-usage.ts'
import { foldEvent } from './events.ts'
import { findPlaceProblems } from './in-its-flow.ts'
import {
  findOutcomeProblems,
  foldAccepted,
  foldCarriedOut,
  foldCommitted,
  foldDispatched,
  foldSettled,
} from './intents.ts'
import { findInactiveProblems, foldOpening } from './openings.ts'
import type { PeopleAtPlace } from './people-at-place.ts'
import { findReasonProblems } from './reasons.ts'
import { foldResent } from './resends.ts'
import type { Writs } from './writs.ts'

export type AuthorityCheck = {
  readonly check: (entry: ReadEntry, authoritySeq: number) => readonly Problem[]
  readonly compilers: () => readonly string[]
  readonly rules: () => readonly string[]
  /** The epoch of the last anchor. */
  readonly epoch: () => number
  /** Who is who at this place, and whom contracts name. */
  readonly people: PeopleAtPlace
  /** As it is folded up to the last entry that was checked. */
  readonly state: AuthorityState
}

export function createAuthorityCheck(
  writs: Writs,
  keys: KeySet,
  whole: boolean,
  seesFlows: boolean,
  kept: Kept,
): AuthorityCheck {
  const state = createAuthorityState(writs, keys, whole, seesFlows, kept)
  return {
    check: (entry, authoritySeq) =>
      [
        ...checkAuthorityEntry(state, entry, authoritySeq),
        ...toOrderDetails(findPlaceProblems(state, entry)),
        ...toOrderDetails(findUsageProblems(state, entry)),
        ...toOrderDetails(entry.payload === null ? [] : findReasonProblems(entry.payload)),
      ].map(([code, detail]) => ({ code, detail })),
    compilers: () => [...state.compilers].sort(),
    rules: () => [...state.rules].sort(),
    epoch: () => state.epoch,
    state,
    people: {
      whole,
      persons: () => state.persons,
      mayBeVouchedFor: (person) => state.holders.mayBeVouchedFor(person),
      names: (dfid, agent, asked) => {
        const flow = state.flows.get(dfid)
        if (flow === undefined) return undefined
        return flow.agent === agent && state.contracts.names(agent, flow.contract, asked)
      },
      answerWindow: (dfid) => findAnswerWindow(state, dfid),
      isAbove: (above, agent) => !whole || state.contracts.isAbove(above, agent),
      inactive: (agent) => findInactiveProblems(state, agent),
      hasDecided: (agent, body) => !whole || isAsked(state, formatAskedDecision(agent, body)),
    },
  }
}

type Detail = readonly ['AUTHORITY_ORDER' | 'ENTRY_SIGNATURE', string]

const UNFIT: Detail = ['ENTRY_SIGNATURE', 'the hashes of the commit are not those of the intent']

/** Nothing that is sent can be read without what it cites. */
const UNCITED = -1

function checkAuthorityEntry(
  state: AuthorityState,
  entry: ReadEntry,
  authoritySeq: number,
): Detail[] {
  const { envelope, payload } = entry
  if (isSend(envelope.kind)) {
    const found = orderProblem(state, envelope.authority_seq ?? UNCITED, authoritySeq)
    const isErased = entry.payloadText === null && envelope.kind === 'dispatch'
    if (isErased) state.erasedDispatches += 1
    if (payload?.kind === 'resend')
      return toOrderDetails([...found, ...foldResent(state, entry, payload.payload)])
    if (payload?.kind !== 'dispatch') return toOrderDetails(found)
    return toOrderDetails([...found, ...foldSent(state, entry, payload.payload)])
  }
  if (payload === null) {
    const isErased = entry.payloadText === null && envelope.kind === 'writ'
    if (isErased && envelope.dfid !== undefined) state.writs.erase(envelope.dfid)
    return []
  }
  switch (payload.kind) {
    case 'lifecycle':
    case 'contract':
    case 'revocation':
    case 'policy':
    case 'anchor':
    case 'source':
    case 'person':
      return toOrderDetails([
        ...findEarlyCitationProblems(state, envelope.seq),
        ...foldAuthorityEntry(state, payload, envelope.at),
      ])
    case 'key':
      state.holders.forget()
      return toOrderDetails(findEarlyCitationProblems(state, envelope.seq))
    case 'event':
      return toOrderDetails(foldEvent(state, payload.payload))
    case 'writ':
      return toOrderDetails(foldOpening(state, entry, payload.payload))
    case 'accepted':
      return toOrderDetails(foldAccepted(state, entry, payload.payload, authoritySeq))
    case 'commit': {
      const { fits, found } = foldCommitted(state, entry, payload.payload)
      return fits ? toOrderDetails(found) : [UNFIT, ...toOrderDetails(found)]
    }
    case 'settle':
      return toOrderDetails(foldSettled(state, entry, payload.payload))
    case 'evidence':
      // Only what was found out about an effect stands on one.
      return 'intent_id' in payload.payload
        ? toOrderDetails(findOutcomeProblems(state, entry, payload.payload.intent_id))
        : []
    default:
      return []
  }
}

function foldSent(
  state: AuthorityState,
  entry: ReadEntry,
  payload: PayloadOf['dispatch'],
): string[] {
  return 'intent' in payload
    ? foldDispatched(state, entry, payload)
    : foldCarriedOut(state, entry, payload)
}

function toOrderDetails(found: readonly string[]): Detail[] {
  return found.map((detail) => ['AUTHORITY_ORDER', detail])
}

function orderProblem(state: AuthorityState, cited: number, last: number): string[] {
  state.cited = Math.max(state.cited, cited)
  // A bundle leaves authority entries out, so that there only the order can be seen.
  if (cited === last || (!state.whole && cited > last)) return []
  return [`it cites authority entry ${cited}, and the last one before it is ${last}`]
}

/** Only a bundle can show this by itself: in a whole ledger the dispatch was found before. */
function findEarlyCitationProblems(state: AuthorityState, seq: number): string[] {
  return state.whole || seq > state.cited
    ? []
    : [`a dispatch before it cites authority entry ${state.cited}`]
}
