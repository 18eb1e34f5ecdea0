/** Writes down what Go's note package says of our signed notes: `node scripts/go-notes.ts`, when their bytes have changed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GO_NOTES, listGoNotes, openWithGo } from '../verifier/src/samples/go-notes.test-support.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubicon-note-'))
try {
  writeFileSync(GO_NOTES, `${JSON.stringify(openWithGo(listGoNotes(), folder), null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
