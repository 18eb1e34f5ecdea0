/** Events as the store keeps them beside their entries: found by name, and changed when a member ends without a flow. */
import type { EventMember } from '../../ports/event-record.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard, Store, Unit, Write } from '../../ports/store.ts'

export const OPEN_EVENTS = 'open'
export const CLOSED_EVENTS = 'closed'

/** An event that was closed may be opened again between two of the reads. */
export async function findEvent(
  store: Pick<Store, 'readRecord'>,
  id: string,
): Promise<StoredRecord<'event'> | null> {
  for (const group of [OPEN_EVENTS, CLOSED_EVENTS, OPEN_EVENTS]) {
    const found = await store.readRecord('event', group, id)
    if (found !== null) return found
  }
  return null
}

export const EVENTS_DUE = 'due'

/** It is looked at when `since` is long ago. */
export function buildEventDue(since: string, event_id: string): Write {
  const row = { record: 'event_due', group: EVENTS_DUE, key: `${since} ${event_id}` } as const
  return { kind: 'put_record', ...row, body: { event_id } }
}

/** Of the timer that opens a flow for an agent. There is no space in the names of other timers. */
export function toWakeName(agent: string, topic: string): string {
  return `wake ${agent} ${topic}`
}

/** A member of an event from which no flow will come. */
export type EndedMember = {
  readonly event_id: string
  readonly dfid: string
  readonly ended: NonNullable<EventMember['ended']>
}

/** What says so, each event written once. */
export async function buildEndedMembersUnit(
  store: Store,
  ended: readonly EndedMember[],
): Promise<Unit> {
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const id of new Set(ended.map(({ event_id }) => event_id))) {
    const known = await findEvent(store, id)
    if (known === null) continue
    const { group, key, version, body } = known
    const members = body.members.map((member) => {
      const end = ended.find(({ event_id, dfid }) => event_id === id && dfid === member.dfid)
      return end === undefined ? member : { ...member, ended: end.ended }
    })
    guards.push({ kind: 'record_version', record: 'event', group, key, version })
    writes.push({ kind: 'put_record', record: 'event', group, key, body: { ...body, members } })
  }
  return { guards, writes }
}
