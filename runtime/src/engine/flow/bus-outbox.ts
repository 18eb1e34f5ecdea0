/**
 * Messages on their way to the bus. They are written in the unit of the event that they announce, and sent afterwards, so
 * that no event is announced that did not happen. What is never sent is found all the same: every engine looks for
 * what is due.
 *
 * 1. A message is sent at least once or becomes a dead letter, which people see and can send again.
 * 2. A message that was tried too often waits for nobody's turn.
 */
import {
  computeBackoffMs,
  EVENT_LIMITS,
  err,
  type Failure,
  formatInstant,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { BusTags } from '../../ports/bus.ts'
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import type { Guard, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { mintId } from '../rows/identity.ts'

export type BusLetter = RecordBodies['bus_letter']
type Letter = StoredRecord<'bus_letter'>

const DUE = 'due'
const DEAD = 'dead'
const PAGE = 200

/** Nothing, where there is no bus. */
export function buildLetterWrites(
  context: Context,
  topic: string,
  { at, event_id }: { readonly at: string; readonly event_id: string },
  members: readonly (BusTags & { readonly agent: string })[],
): readonly Write[] {
  if (context.bus === undefined) return []
  return members.map(({ agent, dfid, snapshot_id }) => {
    const message = { tenant: context.tenant, event_id, agent }
    const letter = { id: mintId(context), topic, message, dfid, snapshot_id, attempts: 0 }
    return buildDueWrite({ ...letter, next_at: at, problem: null })
  })
}

/** Sends what is due; returns how many were taken by the bus. */
export async function sendLetters(context: Context): Promise<number> {
  const { store, clock } = context
  if (context.bus === undefined) return 0
  const until = `${formatInstant(clock.now())}!`
  const due = await store.listRecords('bus_letter', DUE, { until, limit: PAGE })
  let sent = 0
  for (const letter of due) if (await send(context, letter)) sent += 1
  return sent
}

async function send(context: Context, letter: Letter): Promise<boolean> {
  const { topic, message, dfid, snapshot_id } = letter.body
  try {
    await context.bus?.publish(topic, message, { dfid, snapshot_id })
  } catch (error) {
    await keepUnsent(context, letter, error)
    return false
  }
  // Another engine may have sent it too: a message may come twice.
  await context.store.commit({ guards: [buildGuard(letter)], writes: [buildDrop(letter)] })
  return true
}

async function keepUnsent(context: Context, letter: Letter, error: unknown): Promise<void> {
  const attempts = letter.body.attempts + 1
  const next = computeBackoffMs(attempts)
  const body: BusLetter = {
    ...letter.body,
    attempts,
    next_at: formatInstant(context.clock.now() + next),
    problem: error instanceof Error ? error.name : 'Error',
  }
  const isDead = attempts >= EVENT_LIMITS.busAttempts
  const kept = isDead ? buildDeadWrite(body) : buildDueWrite(body)
  await context.store.commit({ guards: [buildGuard(letter)], writes: [buildDrop(letter), kept] })
}

/** Oldest first. */
export async function listDeadLetters(
  { store }: Context,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<readonly BusLetter[]> {
  const range = { limit, ...(after === undefined ? {} : { after }) }
  return (await store.listRecords('bus_letter', DEAD, range)).map(({ body }) => body)
}

/** It is due again, and tried as often as a new one. */
export async function replayDeadLetter(
  context: Context,
  id: string,
): Promise<Result<BusLetter, Failure>> {
  const { store, clock } = context
  const dead = await store.readRecord('bus_letter', DEAD, id)
  if (dead === null) return err(unknownLetter)
  const body: BusLetter = { ...dead.body, attempts: 0, next_at: formatInstant(clock.now()) }
  const outcome = await store.commit({
    guards: [buildGuard(dead)],
    writes: [buildDrop(dead), buildDueWrite(body)],
  })
  return outcome.ok ? ok(body) : err(unknownLetter)
}

function buildDueWrite(body: BusLetter): Write {
  const key = `${body.next_at} ${body.id}`
  return { kind: 'put_record', record: 'bus_letter', group: DUE, key, body }
}

function buildDeadWrite(body: BusLetter): Write {
  return { kind: 'put_record', record: 'bus_letter', group: DEAD, key: body.id, body }
}

function buildDrop({ group, key }: Letter): Write {
  return { kind: 'drop_record', record: 'bus_letter', group, key }
}

function buildGuard({ group, key, version }: Letter): Guard {
  return { kind: 'record_version', record: 'bus_letter', group, key, version }
}

const unknownLetter: Failure = {
  code: 'LETTER_UNKNOWN',
  summary: 'there is no dead letter of that id',
  why: 'it was sent again already, or never was one',
  fix: 'list the dead letters',
}
