import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgress, type ShownProgress } from './progress.ts'
import { formatDuration } from './span-text.ts'

/** Work of so many steps, one every so many milliseconds, and what was written meanwhile. */
function watched(isTTY: boolean, quiet = false) {
  const written: string[] = []
  let at = 0
  const stream = { write: (text: string) => written.push(text), isTTY }
  const shown = createProgress({ stream, quiet, now: () => at })('entries')
  return {
    written,
    shown,
    work(steps: number, ms: number, total: number | null = steps): ShownProgress {
      for (let done = 1; done <= steps; done += 1) {
        at += ms
        shown.tell(done, total)
      }
      return shown
    },
  }
}

test('at a terminal one line is written over, at most ten times a second, and goes in the end', () => {
  const { work, written } = watched(true)
  work(2_000, 1).end()
  assert.equal(written.length, 16 + 1, 'from half a second on, every tenth of a second; then gone')
  assert.equal(written[0], '\r\u001b[K› 500 of 2,000 entries, 1,000 a second, 2 s left')
  assert.equal(written.at(-1), '\r\u001b[K')
  assert.ok(written.every((text) => !text.includes('\n')))
})

test('elsewhere a line comes every five seconds, and nothing is erased', () => {
  const { work, written } = watched(false)
  work(200, 100).end()
  assert.deepEqual(
    written.map((text) => text.split(',')[0]),
    ['› 50 of 200 entries', '› 100 of 200 entries', '› 150 of 200 entries', '› 200 of 200 entries'],
  )
  assert.ok(written.every((text) => text.endsWith('\n') && !text.includes('\u001b')))
})

test('short work says nothing, and so does quiet work', () => {
  for (const { work, written } of [watched(true), watched(false)]) {
    work(499, 1).end()
    assert.deepEqual(written, [])
  }
  const { work, written } = watched(true, true)
  work(10_000, 1).end()
  assert.deepEqual(written, [])
})

test('what is ended is told no more', () => {
  const { work, written, shown } = watched(true)
  work(600, 1).end()
  const before = written.length
  shown.tell(700, 700)
  work(600, 1)
  assert.equal(written.length, before)
})

test('without a total there is no time left, and slow work has tenths', () => {
  const { work, written } = watched(false)
  work(5, 2_000, null)
  assert.deepEqual(written, ['› 3 entries, 0.5 a second\n'])
})

test('a span is told in its two largest units', () => {
  const spans = [0, 1, 999, 59_000, 60_000, 61_000, 3_600_000, 7_500_000, 90_000_000, -5]
  assert.deepEqual(spans.map(formatDuration), [
    '0 s',
    '1 s',
    '1 s',
    '59 s',
    '1 min',
    '1 min 1 s',
    '1 h',
    '2 h 5 min',
    '1 d 1 h',
    '0 s',
  ])
})
