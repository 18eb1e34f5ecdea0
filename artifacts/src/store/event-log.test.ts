import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { makeFolder } from '../files/temporary-folder.test-support.ts'
import type { ArtifactEvent } from './artifact-event.ts'
import { computeContentHash } from './content-hash.ts'
import { type EventLog, openFileLog } from './event-log.ts'

const HASH = computeContentHash(Buffer.from('some'))

function createEvent(seq: number): ArtifactEvent {
  return {
    ...{ seq, id: `id-${seq}`, at: '2026-01-31T12:00:00.000Z', author: 'änn', undoes: null },
    ...{ files: [{ id: 'a.ts', before: null, after: HASH }], body: HASH },
    ...{ root_before: HASH, root_after: HASH },
  }
}

/** One of so many events: those up to the last were written by somebody else. */
function createLog(count: number): string {
  const path = join(makeFolder(), 'events.ndjson')
  const lines = Array.from({ length: count - 1 }, (_, i) => JSON.stringify(createEvent(i + 1)))
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  open(path).append(createEvent(count))
  return path
}

function open(path: string): EventLog {
  const log = openFileLog(path)
  assert.ok(log.ok)
  return log.value
}

test('E4 an event of a long log is read by itself, and all of them are what they were', () => {
  const path = createLog(300)
  assert.ok(existsSync(`${path}.checked`))
  const log = open(path)
  assert.deepEqual([log.length, log.read(0), log.read(301), log.read(1.5)], [300, ...nothing(3)])
  assert.deepEqual(log.read(299), createEvent(299))
  assert.deepEqual(
    log.events,
    Array.from({ length: 300 }, (_, i) => createEvent(i + 1)),
  )
  log.append(createEvent(7))
  assert.equal(open(path).length, 300, 'it is known')
  log.append(createEvent(301))
  assert.deepEqual(open(path).read(301), createEvent(301))
})

function nothing(count: number): readonly undefined[] {
  return Array.from({ length: count }, () => undefined)
}

test('E3 a line that was damaged behind its reading stops whoever reads', () => {
  const path = createLog(300)
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  // As long as before, and no event: the author of one is no text any more.
  const damaged = text.replace('"id-40"', '_id-40"')
  const swapped = [lines[1], lines[0], ...lines.slice(2)].join('\n')
  for (const [broken, line] of [
    [damaged, 40],
    [swapped, 1],
    [lines.slice(1).join('\n'), 1],
  ] as const) {
    writeFileSync(path, broken)
    const log = openFileLog(path)
    assert.ok(!log.ok)
    assert.deepEqual([log.error.code, log.error.line], ['HISTORY_BROKEN', line])
  }
  writeFileSync(path, text)
  assert.equal(open(path).events.length, 300)
})

test('E4 what is said of other bytes, or by nobody, is not believed', () => {
  const path = createLog(300)
  const bytes = readFileSync(path)
  const checksum = crc32(bytes)
  for (const said of [
    '',
    'x',
    '{}',
    JSON.stringify({ events: 299, bytes: bytes.length, checksum }),
    JSON.stringify({ events: 300, bytes: bytes.length + 1, checksum }),
    JSON.stringify({ events: 300, bytes: bytes.length, checksum: checksum ^ 1 }),
    JSON.stringify({ events: 0, bytes: 0, checksum: 0 }),
  ]) {
    writeFileSync(`${path}.checked`, said)
    assert.equal(open(path).events.length, 300, said)
  }
})
