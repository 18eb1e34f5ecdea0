import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { type EntryKind, LIMITS } from 'rubicon-kernel'
import { handClock } from '../../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import type { FlowRow, LeafEntry } from '../../../../runtime/src/ports/store.ts'
import { EventHub, type Subscription } from './event-hub.ts'
import { Ear, type Hearing } from './hearing.test-support.ts'

const ANYTHING: Subscription = { name: 'person jane', wants: () => true, holds: async () => true }

/** A ledger that a test writes, and what was read of it. */
function written(t: TestContext, leaves: number) {
  let count = leaves
  const reads: (readonly [from: number, limit: number])[] = []
  const asked: string[] = []
  const problems: Error[] = []
  const reports: string[] = []
  const clock = handClock()
  const timers = t.mock.method(clock, 'after')
  const store = {
    async countLeaves() {
      const problem = problems.pop()
      if (problem !== undefined) throw problem
      return count
    },
    async listLeaves(from: number, limit: number) {
      reads.push([from, limit])
      return Array.from({ length: Math.min(limit, count - from) }, (_, i) => leaf(from + i))
    },
    async readFlow(dfid: string) {
      asked.push(dfid)
      return parseRow({ agent_id: `agent_of_${dfid}` })
    },
  }
  const hub = new EventHub({ store, clock, report: (line) => reports.push(line) })
  return {
    hub,
    clock,
    reads,
    asked,
    problems,
    reports,
    timers: timers.mock,
    /** Some more entries, and the time in which somebody looks for them. */
    async write(entries: number) {
      count += entries
      await clock.advance(LIMITS.eventLookMs)
    },
    listen: async (wanted: Partial<Subscription> = {}): Promise<Hearing> => {
      const socket = new PassThrough()
      const stream = await hub.open({ ...ANYTHING, ...wanted })
      assert.ok(stream !== null)
      stream.start(socket)
      const ear = new Ear()
      const hearing = ear.hearing(ear.take(socket))
      await hearing.said('event: hello')
      return { ...hearing, hangUp: () => socket.destroy() }
    },
  }
}

function leaf(leaf: number): LeafEntry {
  const kind: EntryKind = leaf % 5 === 4 ? 'rejection' : 'dispatch'
  const hash = `sha256:${'0'.repeat(64)}` as const
  const payload = kind === 'rejection' ? '{"reason_code":"LIMIT_EXCEEDED"}' : '{}'
  const where = { tenant: 'default', trajectory: 'main', seq: leaf, parent: null }
  const at = '2026-06-01T12:00:00.000Z'
  const envelope = { v: 2, ...where, kind, at, dfid: `f${leaf % 3}`, payload_hash: hash } as const
  return { id: hash, envelope, payload, leaf }
}

function parseRow(row: object): FlowRow {
  return row as FlowRow
}

function leavesOf(hearing: Hearing): readonly number[] {
  return hearing.events().map((event) => event.leaf)
}

function upTo(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

test('E1: whoever listens hears each new entry once and in order, and whose it is', async (t) => {
  const { listen, write, asked } = written(t, 7)
  const jane = await listen()
  await write(3)
  await write(600)
  assert.equal(jane.hello(), 6)
  assert.deepEqual(leavesOf(jane), upTo(7, 610))
  const [first, , third] = jane.events()
  assert.deepEqual([first?.agent_id, first?.code], ['agent_of_f1', null])
  assert.deepEqual([third?.kind, third?.code], ['rejection', 'LIMIT_EXCEEDED'])
  assert.deepEqual(asked, ['f1', 'f2', 'f0'], 'whose a flow is is asked once')
})

test('L2: what many hear is read once', async (t) => {
  const { listen, write, reads } = written(t, 7)
  const all = await Promise.all(Array.from({ length: 10 }, () => listen()))
  await write(5)
  for (const one of all) assert.deepEqual(leavesOf(one), upTo(7, 12))
  assert.deepEqual(reads, [[7, LIMITS.entriesPerStep]])
})

test('whoever comes back hears what it missed, from memory or from the store', async (t) => {
  const { listen, write, reads } = written(t, 1_000)
  const jane = await listen()
  const old = await listen({ after: 99 })
  await old.until(900)
  assert.deepEqual(leavesOf(old), upTo(100, 1_000))
  assert.ok(reads.every(([, limit]) => limit === LIMITS.entriesPerStep))
  await write(50)
  const before = reads.length
  const recent = await listen({ after: 1_009 })
  await recent.until(40)
  assert.deepEqual(leavesOf(recent), upTo(1_010, 1_050))
  assert.equal(reads.length, before, 'what is remembered is not read again')
  assert.deepEqual(leavesOf(jane), upTo(1_000, 1_050))
})

test('whoever comes back first, when nothing is new, hears what it missed', async (t) => {
  const { listen } = written(t, 10)
  const jane = await listen({ after: 6 })
  await jane.until(3)
  assert.deepEqual(leavesOf(jane), [7, 8, 9])
})

test('whoever fell behind what is remembered goes on from the store without a gap', async (t) => {
  const { listen, write } = written(t, 0)
  const watcher = await listen()
  await write(LIMITS.eventsRemembered + 1_000)
  await watcher.until(LIMITS.eventsRemembered + 1_000)
  const late = await listen({ after: 998 })
  const wanted = LIMITS.eventsRemembered + 1
  await late.until(wanted)
  assert.deepEqual(leavesOf(late), upTo(999, LIMITS.eventsRemembered + 1_000))
  assert.equal(watcher.events().length, LIMITS.eventsRemembered + 1_000, 'and nothing twice')
})

test('L3: whoever comes and goes leaves pages to be read for nobody', async (t) => {
  const { listen, hub, reads } = written(t, 1_000)
  const first = await listen({ after: 99 })
  const gone = await Promise.all(
    Array.from({ length: 9 }, async (_, i) => {
      const socket = new PassThrough()
      const stream = await hub.open({ ...ANYTHING, name: `person ${i}`, after: 199 + i })
      stream?.start(socket)
      return socket
    }),
  )
  for (const socket of gone) socket.destroy()
  await first.until(900)
  const begun = new Set(reads.map(([from]) => from))
  assert.deepEqual(
    [...Array(9).keys()].map((i) => 200 + i).filter((leaf) => begun.has(leaf)),
    [],
  )
})

test('a ledger without entries, and one that was restored, say where they begin', async (t) => {
  const { listen, write } = written(t, 0)
  const jane = await listen()
  assert.equal(jane.hello(), -1)
  const lost = await listen({ after: 4_711 })
  assert.equal(lost.hello(), -1)
  await write(2)
  assert.deepEqual(leavesOf(jane), [0, 1])
  assert.deepEqual(leavesOf(lost), [0, 1])
})

test('what is filtered out is not sent, and heartbeats say how far it went', async (t) => {
  const { listen, write, clock } = written(t, 0)
  const jane = await listen({ wants: ({ kind }) => kind === 'rejection' })
  await write(7)
  assert.deepEqual(leavesOf(jane), [4])
  await clock.advance(LIMITS.eventBeatMs)
  assert.ok(jane.text().endsWith(': 6\nid: 6\n\n'))
})

test('E2: for whoever does not read nothing is read, and after a minute they are cut off', async (t) => {
  const { listen, hub, write, clock, reads } = written(t, 0)
  const socket = new PassThrough()
  const stream = await hub.open(ANYTHING)
  stream?.start(socket)
  const other = await listen()
  for (let i = 1; i <= 8; i++) {
    await write(LIMITS.eventsRemembered)
    await other.until(i * LIMITS.eventsRemembered)
  }
  assert.ok(socket.readableLength + socket.writableLength < 300 * 1_024, 'what waits is bounded')
  const written8 = 8 * LIMITS.eventsRemembered
  assert.equal(other.events().length, written8, 'others go on')
  assert.equal(reads.length, written8 / LIMITS.entriesPerStep, 'nobody read for it')
  const beats = LIMITS.eventStallMs / LIMITS.eventBeatMs
  for (let i = 1; i < beats; i++) await clock.advance(LIMITS.eventBeatMs)
  assert.equal(socket.destroyed, false)
  await clock.advance(LIMITS.eventBeatMs)
  assert.equal(socket.destroyed, true)
})

test('E2: whoever reads late gets everything, at its own pace', async (t) => {
  const { hub, write } = written(t, 0)
  const socket = new PassThrough()
  const stream = await hub.open(ANYTHING)
  stream?.start(socket)
  const entries = 3 * LIMITS.eventsRemembered
  for (let i = 0; i < 3; i++) await write(LIMITS.eventsRemembered)
  const ear = new Ear()
  const late = ear.hearing(ear.take(socket))
  await late.until(entries)
  assert.deepEqual(leavesOf(late), upTo(0, entries))
})

test('E3: whoever may no longer ask is cut off with the next heartbeat', async (t) => {
  const { listen, clock } = written(t, 3)
  let isHeld = true
  const jane = await listen({ holds: async () => isHeld })
  await clock.advance(LIMITS.eventBeatMs)
  assert.match(jane.text(), /: 2\nid: 2\n\n$/)
  isHeld = false
  await clock.advance(LIMITS.eventBeatMs)
  await jane.ended
  assert.match(jane.text(), /: whoever asked may no longer ask\nretry: 1000\n\n$/)
})

test('E3: when nobody can say whether they may, they may not', async (t) => {
  const { listen, clock } = written(t, 3)
  const jane = await listen({ holds: () => Promise.reject(new Error('the registry is gone')) })
  await clock.advance(LIMITS.eventBeatMs)
  await jane.ended
})

test('H1: while nobody listens nothing is read, and no timer runs', async (t) => {
  const { listen, write, timers, reads } = written(t, 3)
  await write(5)
  assert.equal(timers.callCount(), 0)
  const jane = await listen()
  await write(5)
  jane.hangUp()
  await jane.ended
  await write(5)
  const [counted, read] = [timers.callCount(), reads.length]
  await write(5)
  assert.deepEqual([timers.callCount(), reads.length], [counted, read])
  const again = await listen({ after: 12 })
  await write(0)
  assert.deepEqual(leavesOf(again), upTo(13, 23))
})

test('H1: when the last has gone the store is not asked again, for it may be closed', async (t) => {
  const { listen, clock, problems, reports } = written(t, 7)
  const hearing = await listen()
  hearing.hangUp()
  await hearing.ended
  problems.push(new Error('the store is closed'))
  await clock.advance(LIMITS.eventLookMs)
  assert.deepEqual(reports, [])
  assert.equal(problems.length, 1)
})

test('L1: after a long silence of everybody it begins at the end, and nothing is missing', async (t) => {
  const { listen, write, reads } = written(t, 3)
  const jane = await listen()
  await write(5)
  jane.hangUp()
  await jane.ended
  await write(0)
  await write(LIMITS.eventsRemembered + 1)
  const before = reads.length
  const again = await listen()
  await write(2)
  assert.equal(again.events().length, 2)
  assert.equal(reads.length, before + 1, 'what nobody heard is not read')
  const late = await listen({ after: 7 })
  await late.until(LIMITS.eventsRemembered + 3)
  assert.deepEqual(leavesOf(late), upTo(8, LIMITS.eventsRemembered + 11))
})

test('H2: one principal has so many streams at most, and all of them so many', async (t) => {
  const { listen, hub } = written(t, 3)
  const own = await Promise.all(Array.from({ length: LIMITS.eventStreamsEach }, () => listen()))
  assert.equal(await hub.open(ANYTHING), null)
  own[0]?.hangUp()
  await own[0]?.ended
  await listen()
  const rest = LIMITS.eventStreams - LIMITS.eventStreamsEach
  const others = Array.from({ length: rest }, (_, i) => listen({ name: `person ${i}` }))
  await Promise.all(others)
  assert.equal(await hub.open({ ...ANYTHING, name: 'person last' }), null)
})

test('a store that does not answer for a while costs nobody an event', async (t) => {
  const { listen, write, problems, reports } = written(t, 3)
  const jane = await listen()
  problems.push(new Error('no'), new Error('no'))
  await write(2)
  await write(2)
  assert.deepEqual(leavesOf(jane), [])
  await write(1)
  assert.deepEqual(leavesOf(jane), upTo(3, 8))
  assert.deepEqual(reports, ['rubicon: the ledger cannot be followed: no'])
})
