/** The verifier for a browser says what the one under Node says, and needs nothing of Node. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type JsonValue, toCanonicalText } from 'rubicon-kernel'
import { beginLedger, createBrowserCrypto, createLineSplitter, verifyAny } from './browser.ts'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { parseTrust } from './ledger/trust.ts'
import type { Report } from './report/report.ts'
import { DFID, sampleEvidence, sampleLedger } from './samples/sample-ledger.test-support.ts'

const crypto = createBrowserCrypto()
const { builder } = sampleLedger()
const good = builder.text()
const lines = good.split('\n').slice(0, -1)

function inPieces(bytes: Uint8Array, length: number): Report {
  const check = beginLedger(crypto)
  const splitter = createLineSplitter()
  for (let start = 0; start < bytes.length; start += length) {
    for (const line of splitter.push(bytes.subarray(start, start + length))) check.push(line)
  }
  for (const line of splitter.end()) check.push(line)
  return check.end()
}

test('nothing that the page loads comes from Node', () => {
  const seen = new Set<string>()
  const outside = new Set<string>()
  const visit = (file: URL): void => {
    if (seen.has(file.href)) return
    seen.add(file.href)
    const text = readFileSync(file, 'utf8')
    for (const [, from = ''] of text.matchAll(/^(?:import|export|\}) .*?from '([^']+)'/gm)) {
      if (from.startsWith('.')) visit(new URL(from, file))
      else outside.add(from)
    }
  }
  visit(new URL('./browser.ts', import.meta.url))
  assert.ok(seen.size > 15)
  assert.deepEqual([...outside].sort(), [
    '@noble/curves/ed25519.js',
    '@noble/hashes/sha2.js',
    'rubicon-kernel',
  ])
})

test('a good ledger and its bundle are found good, and trusted by a key that was pinned', () => {
  const trust = parseTrust(builder.operator.text, nodeCrypto.sha256)
  assert.ok(trust.ok)
  const report = verifyAny(good, crypto, { trust: trust.value })
  assert.deepEqual(report, verifyAny(good, nodeCrypto, { trust: trust.value }))
  assert.equal(report.strength, 'trusted')
  const bundle = toCanonicalText(builder.bundle(DFID, sampleEvidence()) as unknown as JsonValue)
  assert.deepEqual(verifyAny(bundle, crypto), verifyAny(bundle, nodeCrypto))
  assert.equal(verifyAny(bundle, crypto).ok, true)
})

test('what was tampered with is found alike: removed, repeated, swapped, cut, changed', () => {
  for (let leaf = 0; leaf < builder.entries.length; leaf += 1) {
    const tampered = [
      lines.toSpliced(leaf + 1, 1),
      lines.toSpliced(leaf + 1, 0, lines[leaf + 1] ?? ''),
      lines.toSpliced(leaf + 1, 2, lines[leaf + 2] ?? '', lines[leaf + 1] ?? ''),
      lines.slice(0, leaf + 1),
      lines.toSpliced(leaf + 1, 1, (lines[leaf + 1] ?? '').replace(/[0-9](?=[^0-9]*$)/, 'x')),
    ]
    for (const some of tampered) {
      const text = [...some, ''].join('\n')
      const report = verifyAny(text, crypto)
      assert.deepEqual(report, verifyAny(text, nodeCrypto))
      assert.equal(report.ok, false, `leaf ${leaf}`)
    }
  }
})

test('one byte in each line that changes is found there, with what was expected', () => {
  const bytes = new TextEncoder().encode(good)
  let start = bytes.indexOf(0x0a) + 1
  for (let leaf = 0; leaf < builder.entries.length; leaf += 1) {
    const copy = bytes.slice()
    const at = start + 40
    copy[at] = (copy[at] ?? 0) ^ 1
    const report = verifyAny(copy, crypto)
    assert.deepEqual(report, verifyAny(copy, nodeCrypto))
    assert.equal(report.findings[0]?.leaf, leaf)
    start = bytes.indexOf(0x0a, start) + 1
  }
  const renamed = good.replace(builder.entries[9]?.id ?? '', builder.entries[8]?.id ?? '')
  const [first] = verifyAny(renamed, crypto).findings
  assert.deepEqual(
    [first?.leaf, first?.code, first?.expected, first?.found],
    [9, 'ENTRY_ID', builder.entries[9]?.id, builder.entries[8]?.id],
  )
})

test('what is found is counted as it is found', () => {
  const check = beginLedger(crypto)
  assert.equal(check.found(), 0)
  const renamed = good.replace(builder.entries[9]?.id ?? '', builder.entries[8]?.id ?? '')
  const counts = renamed.split('\n').map((text) => {
    check.push({ text, ended: true })
    return check.found()
  })
  assert.deepEqual(counts.slice(0, 10), new Array(10).fill(0))
  assert.ok((counts[10] ?? 0) > 0)
})

test('a ledger that comes in pieces of any length is judged as the whole', () => {
  const cut = good.slice(0, -1)
  for (const text of [
    good,
    cut,
    '',
    lines[0] ?? '',
    good.replace('"kind":"key"', '"kind":"kex"'),
  ]) {
    const bytes = new TextEncoder().encode(text)
    const whole = verifyAny(bytes, nodeCrypto)
    for (const length of [997, 4_096, bytes.length + 1])
      assert.deepEqual(inPieces(bytes, length), whole)
  }
})

test('progress counts up to what the checkpoint covers', () => {
  const told: (readonly [number, number | null])[] = []
  const onProgress = (done: number, total: number | null): void => void told.push([done, total])
  verifyAny(good, crypto, { onProgress })
  const { length } = builder.entries
  assert.deepEqual(told.at(-1), [length, length])
  told.length = 0
  verifyAny([lines[1], ''].join('\n'), crypto, { onProgress })
  assert.deepEqual(told.at(-1), [0, null])
})
