/** Our signed notes, opened by Go's note package with the verifier key that we print. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  computeNoteKeyId,
  encodeUtf8,
  formatNote,
  formatVerifierKey,
  parseNote,
} from 'rubicon-kernel'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { sampleKey } from './samples/sample-keys.test-support.ts'
import { sampleLedger } from './samples/sample-ledger.test-support.ts'

/** Where Debian puts the sources of Go packages. */
const GOPATH = '/usr/share/gocode'
const hasGo =
  existsSync(join(GOPATH, 'src/golang.org/x/mod/sumdb/note')) &&
  spawnSync('go', ['version']).status === 0
const skip = !hasGo && 'golang-go or golang-golang-x-mod-dev is not installed'

const folder = mkdtempSync(join(tmpdir(), 'rubicon-note-'))
after(() => rmSync(folder, { recursive: true }))

const program = join(folder, 'open')

/** Once: a compiled standard library is kept beside the other caches. */
function buildProgram(): void {
  const { status, stderr } = spawnSync(
    'go',
    ['build', '-o', program, pathTo('testdata/go-note/open.go')],
    {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        GO111MODULE: 'off',
        GOPATH,
        GOCACHE: pathTo('node_modules/.cache/rubicon-go'),
      },
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stderr)
}

function pathTo(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

type Opened = { readonly status: number | null; readonly text: string }

function openWithGo(verifierKey: string, note: string): Opened {
  const file = join(folder, 'note')
  writeFileSync(file, note)
  const { status, stdout } = spawnSync(program, [verifierKey, file], { encoding: 'utf8' })
  return { status, text: stdout }
}

test("Go's note package opens a checkpoint with the printed verifier key, and no other", {
  skip,
}, () => {
  buildProgram()
  const { builder } = sampleLedger()
  const name = builder.origin()
  const keyOf = (publicKey: Uint8Array): string =>
    formatVerifierKey({ name, publicKey }, nodeCrypto.sha256)
  const note = builder.note()
  const opened = openWithGo(keyOf(builder.checkpoint.bytes), note)
  assert.equal(opened.status, 0)
  const parsed = parseNote(note)
  assert.ok(parsed.ok)
  const { body, signatures } = parsed.value
  assert.equal(opened.text, body)

  const witness = sampleKey('witness', 'stranger')
  const seen = {
    name: 'witness.example.com',
    keyId: computeNoteKeyId('witness.example.com', witness.bytes, nodeCrypto.sha256),
    signature: witness.signRaw(encodeUtf8(body)),
  }
  const witnessed = formatNote(body, [...signatures, seen])
  assert.equal(openWithGo(keyOf(builder.checkpoint.bytes), witnessed).text, body)

  assert.notEqual(openWithGo(keyOf(builder.kernel.bytes), note).status, 0)
  assert.notEqual(openWithGo(keyOf(builder.checkpoint.bytes), note.replace('\n', '0\n')).status, 0)
})
