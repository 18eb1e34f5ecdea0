/** Signed notes of ours, and Go's note package that opens them: its answers are kept, for to build it takes longer than a test may. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  computeNoteKeyId,
  encodeUtf8,
  formatNote,
  formatVerifierKey,
  parseNote,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { sampleKey } from './sample-keys.test-support.ts'
import { sampleLedger } from './sample-ledger.test-support.ts'

export type GoNote = {
  readonly name: string
  readonly verifierKey: string
  readonly note: string
  /** What Go says was signed; null: it does not open the note. */
  readonly opened: string | null
}

/** Where Debian puts the sources of Go packages. */
const GOPATH = '/usr/share/gocode'

/** Where Go's answers are kept: `node scripts/go-notes.ts` writes them. */
export const GO_NOTES: string = toPath('testdata/go-note/opened.json')

/** The notes, with what must become of them. */
export function listGoNotes(): readonly GoNote[] {
  const { builder } = sampleLedger()
  const origin = builder.origin()
  const formatKey = (publicKey: Uint8Array): string =>
    formatVerifierKey({ name: origin, publicKey }, nodeCrypto.sha256)
  const [verifierKey, other] = [builder.checkpoint, builder.kernel].map(({ bytes }) =>
    formatKey(bytes),
  )
  assert.ok(verifierKey !== undefined && other !== undefined)
  const note = builder.note()
  const parsed = parseNote(note)
  assert.ok(parsed.ok)
  const { body: opened, signatures } = parsed.value
  const witness = sampleKey('witness', 'stranger')
  const seen = {
    name: 'witness.example.com',
    keyId: computeNoteKeyId('witness.example.com', witness.bytes, nodeCrypto.sha256),
    signature: witness.signRaw(encodeUtf8(opened)),
  }
  const witnessed = formatNote(opened, [...signatures, seen])
  return [
    { name: 'a checkpoint', verifierKey, note, opened },
    { name: 'one with the signature of a stranger', verifierKey, note: witnessed, opened },
    { name: 'one that another key has signed', verifierKey: other, note, opened: null },
    {
      name: 'one that was changed',
      ...{ verifierKey, note: note.replace('\n', '0\n'), opened: null },
    },
  ]
}

export function hasGo(): boolean {
  return (
    existsSync(join(GOPATH, 'src/golang.org/x/mod/sumdb/note')) &&
    spawnSync('go', ['version']).status === 0
  )
}

/** The same notes, with what Go says of them. */
export function openWithGo(notes: readonly GoNote[], folder: string): readonly GoNote[] {
  const program = join(folder, 'open')
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, GO111MODULE: 'off', GOPATH },
    GOCACHE: toPath('node_modules/.cache/rubicon-go'),
  }
  const source = toPath('testdata/go-note/open.go')
  const built = spawnSync('go', ['build', '-o', program, source], { env, encoding: 'utf8' })
  assert.equal(built.status, 0, built.stderr)
  return notes.map((one) => {
    const file = join(folder, 'note')
    writeFileSync(file, one.note)
    const { status, stdout } = spawnSync(program, [one.verifierKey, file], { encoding: 'utf8' })
    return { ...one, opened: status === 0 ? stdout : null }
  })
}

function toPath(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}
