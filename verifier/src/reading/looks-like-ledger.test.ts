import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { toCanonicalText } from 'rubicon-kernel'
import { oracleSkip } from '../samples/oracle.test-support.ts'
import { DFID, sampleEvidence, sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { isLedgerLike } from './looks-like-ledger.ts'

const { builder } = sampleLedger()
const ledger = builder.text()
const firstLine = ledger.slice(0, ledger.indexOf('\n'))
const headless = ledger.slice(firstLine.length + 1)
const bundle = toCanonicalText(builder.bundle(DFID, sampleEvidence()))
const here = readFileSync(fileURLToPath(import.meta.url))

test('a ledger, one without its header, and a bundle look like one, as text and as bytes', () => {
  for (const text of [ledger, headless, bundle]) {
    assert.equal(isLedgerLike(text), true)
    assert.equal(isLedgerLike(new TextEncoder().encode(text)), true)
  }
})

test('a ledger of which any one byte is damaged still does', () => {
  const bytes = new TextEncoder().encode(`${firstLine}\n`)
  for (let at = 0; at < bytes.length - 1; at += 1) {
    const damaged = bytes.slice()
    damaged[at] = 0xff
    assert.equal(isLedgerLike(damaged), true, `byte ${at}`)
  }
})

test('nothing, a program, and a line that has the names further down do not', () => {
  for (const other of ['', '\n', '{}', 'import x from "y"\n', `{\n${firstLine}`])
    assert.equal(isLedgerLike(other), false)
  assert.equal(isLedgerLike(here), false)
})

test('the second verifier refuses the same files', { skip: oracleSkip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-file-'))
  const script = fileURLToPath(new URL('../../../testdata/oracle/verify.py', import.meta.url))
  const judged = (bytes: string | Uint8Array): number | null => {
    const path = join(folder, 'file')
    writeFileSync(path, bytes)
    return spawnSync('python3', ['-I', '-S', script, path]).status
  }
  try {
    assert.deepEqual([ledger, bundle, headless, here, ''].map(judged), [0, 0, 4, 2, 2])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('its names stand in the first 4,096 characters', () => {
  const name = '"payload_hash":'
  const at = (place: number): boolean => isLedgerLike(`${' '.repeat(place)}${name}`)
  assert.equal(at(4_096 - name.length), true)
  assert.equal(at(4_096 - name.length + 1), false)
})
