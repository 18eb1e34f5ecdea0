/** What is written of a timer: in the order of time, and under its name. */
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import type { Guard, Store, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildEndedMembersUnit } from './event-rows.ts'

export type FlowTimer = RecordBodies['timer']
export type Pending = StoredRecord<'timer'>

export const DUE = 'due'
export const NAMES = 'names'

/** The timer of that name, as it stands in the order of time. */
export async function findPendingTimer(
  { store }: Pick<Context, 'store'>,
  name: string,
): Promise<Pending | null> {
  const named = await store.readRecord('timer', NAMES, name)
  return named === null ? null : store.readRecord('timer', DUE, toTimerKey(named.body))
}

/** The unit of a timer whose name is free. */
export function buildTimerUnit(timer: FlowTimer): Unit {
  const free: Guard = {
    kind: 'record_version',
    record: 'timer',
    group: NAMES,
    key: timer.name,
    version: null,
  }
  return { guards: [free], writes: buildTimerWrites(timer) }
}

/** Nobody has touched the timer since it was read. */
export function buildUntouchedTimerGuard({ key, version }: Pending): Guard {
  return { kind: 'record_version', record: 'timer', group: DUE, key, version }
}

/** Another in the place of one that nobody has touched since it was read. */
export function buildMovedTimerUnit(timer: Pending, next: FlowTimer): Unit {
  const drop: Write = { kind: 'drop_record', record: 'timer', group: DUE, key: timer.key }
  // Written over in place, its version tells that it is another.
  const stays = toTimerKey(next) === timer.key
  return {
    guards: [buildUntouchedTimerGuard(timer)],
    writes: [...(stays ? [] : [drop]), ...buildTimerWrites(next)],
  }
}

export function buildEndedTimerUnit(timer: Pending): Unit {
  const drop = { kind: 'drop_record', record: 'timer' } as const
  return {
    guards: [buildUntouchedTimerGuard(timer)],
    writes: [
      { ...drop, group: DUE, key: timer.key },
      { ...drop, group: NAMES, key: timer.body.name },
    ],
  }
}

function buildTimerWrites(timer: FlowTimer): readonly Write[] {
  const put = { kind: 'put_record', record: 'timer', body: timer } as const
  return [
    { ...put, group: DUE, key: toTimerKey(timer) },
    { ...put, group: NAMES, key: timer.name },
  ]
}

function toTimerKey({ at, name }: Pick<FlowTimer, 'at' | 'name'>): string {
  return `${at} ${name}`
}

/** Not less than any key of that instant: a space follows the instant there. */
export function toLastTimerKey(at: string): string {
  return `${at}!`
}

/** An event hears that the agent it would have woken is gone. */
export async function buildDroppedTimerUnit(store: Store, timer: Pending): Promise<Unit> {
  const { event } = timer.body
  const { guards, writes } = buildEndedTimerUnit(timer)
  if (event === undefined) return { guards, writes }
  const gone = await buildEndedMembersUnit(store, [{ ...event, ended: 'gone' }])
  return { guards: [...guards, ...gone.guards], writes: [...writes, ...gone.writes] }
}
