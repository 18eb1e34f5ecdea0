import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeFolder } from '../files/temporary-folder.test-support.ts'
import { applySplices, invertSplices, type Splice } from '../text/splice.ts'
import type { ArtifactEvent, EventStep } from './artifact-event.ts'
import { createMemoryLog, openFileLog } from './event-log.ts'
import { ArtifactHistory } from './history.ts'
import { createMemoryBlobs } from './memory-blobs.ts'
import { type FilePast, findDifference, listReplayed, planUndo } from './plan-undo.ts'

const AT = '2026-01-31T12:00:00.000Z'

async function addEvent(
  history: ArtifactHistory,
  id: string,
  before: string | null,
  after: string | null,
): Promise<ArtifactEvent> {
  const toBytes = (text: string | null): Uint8Array | null =>
    text === null ? null : Buffer.from(text)
  const event = await history.prepare({
    ...{ at: AT, author: 'ann', undoes: null, deltas: [] },
    files: [{ id, before: toBytes(before), after: toBytes(after), steps: [] }],
  })
  assert.ok(event.ok)
  history.record(event.value)
  return event.value
}

async function textAt(history: ArtifactHistory, seq: number, id: string): Promise<string | null> {
  const read = await history.readFileAt(seq, id)
  assert.ok(read.ok)
  return read.value === null ? null : Buffer.from(read.value).toString()
}

test('every moment can be read, also what was there before the first event and what others changed in between', async () => {
  const history = new ArtifactHistory(createMemoryBlobs(), createMemoryLog())
  await addEvent(history, 'a.ts', 'a0', 'a1')
  await addEvent(history, 'b.ts', null, 'b1')
  await addEvent(history, 'a.ts', 'by hand', 'a2')
  await addEvent(history, 'b.ts', 'b1', null)
  const rows = await Promise.all(
    [0, 1, 2, 3, 4].map(async (seq) => [
      await textAt(history, seq, 'a.ts'),
      await textAt(history, seq, 'b.ts'),
    ]),
  )
  assert.deepEqual(rows, [
    ['a0', null],
    ['a1', null],
    ['a1', 'b1'],
    ['a2', 'b1'],
    ['a2', null],
  ])
  const listed = await history.readAt(4)
  assert.ok(listed.ok)
  assert.deepEqual([...listed.value.keys()], ['a.ts'])
  const unknown = await history.readAt(5)
  assert.ok(!unknown.ok && unknown.error.code === 'ARTIFACT_EVENT_UNKNOWN')
})

test('an event is recorded once, a line that was torn never, and a history with a hole is not read', async () => {
  const path = join(makeFolder(), 'events.ndjson')
  const blobs = createMemoryBlobs()
  const open = (): ArtifactHistory => {
    const log = openFileLog(path)
    assert.ok(log.ok)
    return new ArtifactHistory(blobs, log.value)
  }
  const first = await addEvent(open(), 'a.ts', 'a0', 'a1')
  open().record(first)
  assert.equal(open().events.length, 1)
  assert.ok(open().hasEvent(first))
  appendFileSync(path, JSON.stringify(first).slice(0, 50))
  assert.equal(open().events.length, 1, 'what was torn is none')
  const second = await addEvent(open(), 'a.ts', 'a1', 'ä2')
  await addEvent(open(), 'a.ts', 'ä2', 'a3')
  assert.deepEqual(
    open().events.map(({ seq }) => seq),
    [1, 2, 3],
  )
  const lines = readFileSync(path, 'utf8').split('\n')
  for (const broken of [
    [lines[0], lines[2], ''],
    [lines[0], '{}', lines[2], ''],
    ['x', ''],
  ]) {
    writeFileSync(path, broken.join('\n'))
    const log = openFileLog(path)
    assert.ok(!log.ok)
    assert.equal(log.error.code, 'HISTORY_BROKEN')
  }
  assert.equal(second.seq, 2)
})

/** Events of one file, each of one splice. */
function pastOf(
  first: string,
  splices: readonly Splice[],
  undoes: ReadonlyMap<number, number> = new Map(),
): readonly FilePast[] {
  let text = first
  return splices.map((splice, index) => {
    const before = text
    text = applySplices(before, [splice]) ?? assert.fail('it fits')
    const steps: readonly EventStep[] = [
      { splices: [splice], inverse: invertSplices(before, [splice]) },
    ]
    const event = createEvent(index + 1, undoes.get(index + 1) ?? null)
    return { event, before, after: text, steps }
  })
}

function createEvent(seq: number, undoes: number | null): ArtifactEvent {
  const hash = 'sha256:00' as const
  return {
    ...{ seq, id: String(seq), at: AT, author: 'ann', undoes, body: hash },
    ...{ files: [{ id: 'a.ts', before: null, after: null }], root_before: hash, root_after: hash },
  }
}

function listPast(past: readonly FilePast[], seq: number): readonly FilePast[] {
  const known = listReplayed(
    past.map(({ event }) => event),
    seq,
    'a.ts',
  )
  return past.filter(({ event }) => known.includes(event))
}

test('an older event is undone where it is now, and what came later stays', () => {
  const past = pastOf('one two three', [
    { start: 4, end: 7, text: '2' },
    { start: 0, end: 0, text: 'zero ' },
  ])
  const undone = planUndo(past, 1, past[1]?.after ?? '')
  assert.ok(undone.ok)
  assert.equal(undone.value.text, 'zero one two three')
  let text = past[1]?.after ?? ''
  for (const { splices } of undone.value.steps) text = applySplices(text, splices) ?? ''
  assert.equal(text, 'zero one two three')
})

test('an event that a later one, or an edit of others, stands on is refused with its name', () => {
  const past = pastOf('', [
    { start: 0, end: 0, text: 'class A {}' },
    { start: 9, end: 9, text: ' m() {} ' },
  ])
  const blocked = planUndo(past, 1, past[1]?.after ?? '')
  assert.ok(!blocked.ok)
  assert.deepEqual(
    [blocked.error.code, blocked.error.events, blocked.error.unrecorded],
    ['UNDO_BLOCKED', [2], false],
  )
  const byHand = planUndo(past.slice(0, 1), 1, 'class A { x = 1 }')
  assert.ok(!byHand.ok)
  assert.deepEqual([byHand.error.events, byHand.error.unrecorded], [[], true])
  const beside = planUndo(past.slice(0, 1), 1, 'class A {}\n// more')
  assert.ok(beside.ok)
  assert.equal(beside.value.text, '\n// more')
})

test('once the later one is undone, the older one can be', () => {
  const undoes = new Map([[3, 2]])
  const past = pastOf(
    '',
    [
      { start: 0, end: 0, text: 'class A {}' },
      { start: 9, end: 9, text: ' m() {} ' },
      { start: 9, end: 17, text: '' },
    ],
    undoes,
  )
  const undone = planUndo(past, 1, past[2]?.after ?? '')
  assert.ok(undone.ok)
  assert.equal(undone.value.text, '')
  const unrecorded = planUndo(
    pastOf(
      '',
      past.map(({ steps }) => steps[0]?.splices[0] ?? assert.fail()),
    ),
    1,
    'class A {}',
  )
  assert.ok(!unrecorded.ok, 'what was put into it and taken out again is still there to come back')
})

test('undone in any order that is permitted, every history gives back its first text', () => {
  const change = fc.tuple(fc.nat(1_000), fc.nat(6), fc.string({ maxLength: 5 }))
  const plan = fc.tuple(
    fc.string({ maxLength: 30 }),
    fc.array(change, { minLength: 1, maxLength: 6 }),
    fc.infiniteStream(fc.nat(1_000)),
  )
  fc.assert(
    fc.property(plan, ([first, changes, picks]) => {
      let text = first
      const splices = changes.map(([place, length, put]) => {
        const start = place % (text.length + 1)
        const splice = { start, end: Math.min(text.length, start + length), text: put }
        text = applySplices(text, [splice]) ?? ''
        return splice
      })
      const past = [...pastOf(first, splices)]
      const left = past.map(({ event }) => event.seq)
      for (let tries = 0; left.length > 0 && tries < 300; tries += 1) {
        const seq = left[(picks.next().value ?? 0) % left.length] ?? 0
        const undone = planUndo(listPast(past, seq), seq, text)
        if (!undone.ok) {
          assert.equal(undone.error.code, 'UNDO_BLOCKED', undone.error.detail)
          assert.ok(undone.error.events.every((event) => left.includes(event)))
          continue
        }
        const { steps, text: after } = undone.value
        past.push({ event: createEvent(past.length + 1, seq), before: text, after, steps })
        left.splice(left.indexOf(seq), 1)
        text = after
      }
      assert.deepEqual(left, [])
      assert.equal(text, first)
    }),
  )
})

test('two removals side by side, undone in the order in which they were made, come back in their places', () => {
  const past = [
    ...pastOf('AABB', [
      { start: 0, end: 2, text: '' },
      { start: 0, end: 2, text: '' },
    ]),
  ]
  const one = planUndo(listPast(past, 1), 1, '')
  assert.ok(one.ok)
  past.push({ event: createEvent(3, 1), before: '', after: one.value.text, steps: one.value.steps })
  const other = planUndo(listPast(past, 2), 2, one.value.text)
  assert.ok(other.ok)
  assert.equal(other.value.text, 'AABB')
})

test('a difference is one splice, and gives the other text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const splice = findDifference(before, after)
      assert.equal(splice === null ? before : applySplices(before, [splice]), after)
    }),
  )
})
