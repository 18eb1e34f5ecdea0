import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { toCanonicalText } from 'rubicon-kernel'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { DFID, sampleEvidence, sampleLedger } from './samples/sample-ledger.test-support.ts'
import { verifyAny } from './verify-any.ts'
import { verifyFile } from './verify-file.ts'

test('a file is judged the same in pieces as at once, also where its last line is cut', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-verify-file-'))
  try {
    const text = sampleLedger().builder.text()
    for (const written of [
      text,
      text.slice(0, -1),
      text.slice(0, -40),
      text.replace('1.5', '9.5'),
    ]) {
      const path = join(folder, 'ledger.ndjson')
      writeFileSync(path, written)
      const wanted = verifyAny(written, nodeCrypto)
      assert.equal(wanted.ok, written === text)
      assert.deepEqual(verifyFile(path, nodeCrypto), wanted)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a bundle in a file is judged as one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-verify-file-'))
  try {
    const path = join(folder, 'bundle.json')
    const bundle = sampleLedger().builder.bundle(DFID, sampleEvidence())
    writeFileSync(path, toCanonicalText(bundle))
    const report = verifyFile(path, nodeCrypto)
    assert.deepEqual([report.ok, report.findings, report.tree], [true, [], null])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a file is closed, whatever was found in it', () => {
  const path = fileURLToPath(import.meta.url)
  /** The lowest number that no open file has. */
  const nextFile = (): number => {
    const file = openSync(path, 'r')
    closeSync(file)
    return file
  }
  const before = nextFile()
  assert.equal(verifyFile(path, nodeCrypto).ok, false)
  assert.equal(nextFile(), before)
})
