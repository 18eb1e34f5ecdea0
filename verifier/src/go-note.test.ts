/** Our signed notes, opened by Go's note package with the verifier key that we print. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { GO_NOTES, hasGo, listGoNotes, openWithGo } from './samples/go-notes.test-support.ts'

const recorded = JSON.parse(readFileSync(GO_NOTES, 'utf8'))

test('our notes are, byte for byte, those that Go has opened with the printed key, and with no other', () => {
  assert.deepEqual(
    listGoNotes(),
    recorded,
    'they have changed: ask Go again by `node scripts/go-notes.ts`',
  )
})

// To build the program takes ten seconds of a processor: what Go said is kept, and asked for again in the proof.
if (process.env.RUBICON_FULL === '1')
  test("Go's note package opens them, and says of each what is recorded", {
    skip: !hasGo() && 'golang-go or golang-golang-x-mod-dev is not installed',
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'rubicon-note-'))
    try {
      assert.deepEqual(openWithGo(listGoNotes(), folder), recorded)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
