/**
 * Requests as records. One stands in the group of its state and nowhere else, so that whoever moves it
 * on, guarded by its version, is the only one who does.
 */
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import type { Guard, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import type { SpokenIn } from '../judge/receive.ts'

export type Escalation = RecordBodies['escalation']
export type StoredEscalation = StoredRecord<'escalation'>

export const ESCALATION_STATES = ['open', 'approved', 'closed'] as const
export type EscalationState = (typeof ESCALATION_STATES)[number]
/** Where claims are kept: one on a request that waits, under its id. */
export const CLAIM = { record: 'escalation_claim', group: 'open' } as const
/** Where comments are kept: all of a request in one row, which stays when it is decided. */
export const COMMENTS = { record: 'escalation_comments', group: 'requests' } as const
export type Ended = NonNullable<Escalation['ended']>['as']

const PAGE = 100

/** Who spoke when it was asked. The session may be over, since people take their time; its key counts. */
export function toAskingSession({
  request,
  key_id,
}: Pick<Escalation, 'request' | 'key_id'>): SpokenIn {
  return { agent_id: request.agent_id, key_id, guards: [] }
}

export function loadEscalation(
  { store }: Pick<Context, 'store'>,
  state: EscalationState,
  id: string,
): Promise<StoredEscalation | null> {
  return store.readRecord('escalation', state, id)
}

/** Every request in that state, oldest first; what is moved on meanwhile may be among them. */
export async function* iterateStoredEscalations(
  { store }: Context,
  state: EscalationState,
): AsyncGenerator<StoredEscalation> {
  for (let after = ''; ; ) {
    const page = await store.listRecords('escalation', state, { after, limit: PAGE })
    yield* page
    after = page.at(-1)?.key ?? after
    if (page.length < PAGE) return
  }
}

export function buildOpenEscalation(body: Escalation): Unit {
  const { id } = body.request
  return { guards: [buildVersionGuard(id, 'open', null)], writes: [put(id, 'open', body)] }
}

/** The same request, still waiting. */
export function buildChangedEscalation({ key, version }: StoredEscalation, body: Escalation): Unit {
  return { guards: [buildVersionGuard(key, 'open', version)], writes: [put(key, 'open', body)] }
}

export function buildApprovedEscalation(
  { key, version }: StoredEscalation,
  body: Escalation,
): Unit {
  return {
    guards: [buildVersionGuard(key, 'open', version)],
    writes: [drop(key, 'open'), put(key, 'approved', body), buildClaimDrop(key)],
  }
}

export function buildEndedEscalation(
  { key, version, body }: StoredEscalation,
  from: 'open' | 'approved',
  as: Ended,
  at: string,
): Unit {
  return {
    guards: [buildVersionGuard(key, from, version)],
    writes: [
      drop(key, from),
      put(key, 'closed', { ...body, ended: { as, at } }),
      ...(from === 'open' ? [buildClaimDrop(key)] : []),
    ],
  }
}

function buildVersionGuard(key: string, group: EscalationState, version: number | null): Guard {
  return { kind: 'record_version', record: 'escalation', group, key, version }
}

function put(key: string, group: EscalationState, body: Escalation): Write {
  return { kind: 'put_record', record: 'escalation', group, key, body }
}

function drop(key: string, group: EscalationState): Write {
  return { kind: 'drop_record', record: 'escalation', group, key }
}

/** What does not wait any more is nobody's. */
function buildClaimDrop(key: string): Write {
  return { kind: 'drop_record', ...CLAIM, key }
}
