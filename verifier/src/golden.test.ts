/**
 * Ledgers that releases wrote, kept for ever from 0.3.0 on. What came before is written in `rubicon/1`,
 * in which a forger could choose holes that are closed now; it is refused whole.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { verifyTwice } from './samples/agreement.test-support.ts'
import { sampleLedger } from './samples/sample-ledger.test-support.ts'
import { verifyAny } from './verify-any.ts'

const FOLDER = new URL('../../testdata/golden/', import.meta.url)

/** What each release wrote. A line is added with a release; none is ever changed. */
const ROOTS: Readonly<Record<string, { readonly entries: number; readonly root: string }>> = {}

for (const [version, { entries, root }] of Object.entries(ROOTS))
  test(`the ledger of release ${version} still verifies, World included, to the same root`, () => {
    const report = verifyAny(readFileSync(new URL(`${version}.ndjson`, FOLDER)), nodeCrypto)
    assert.deepEqual(report.findings, [])
    assert.equal(report.entries, entries)
    assert.equal(report.checkpoint?.root, root)
  })

test('every golden ledger is held by this test', () => {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER) : []
  const versions = files.map((name) => name.replace('.ndjson', ''))
  assert.deepEqual(versions.sort(), Object.keys(ROOTS).sort())
})

test('a ledger or a bundle in the format of before is refused, and the report says why', async () => {
  const { builder } = sampleLedger()
  const [header = '', ...lines] = builder.text().split('\n')
  const before = [header.replace('rubicon-ledger/2', 'rubicon-ledger/1'), ...lines].join('\n')
  const bundle = '{"format":"rubicon-bundle/1"}\n'
  for (const [text, format] of [
    [before, 'rubicon-ledger/1'],
    [bundle, 'rubicon-bundle/1'],
  ] as const) {
    const { findings, strength } = await verifyTwice(text)
    assert.equal(strength, null)
    assert.equal(findings[0]?.code, 'ENTRY_UNREADABLE')
    assert.match(findings[0]?.detail ?? '', new RegExp(`${format}.*release that wrote it`))
  }
})

test('entries of before are refused one by one, also under a header of now', async () => {
  const { builder } = sampleLedger()
  const text = builder.text().replaceAll('"v":2', '"v":1')
  const { findings } = await verifyTwice(text)
  const unreadable = findings.filter(({ code }) => code === 'ENTRY_UNREADABLE')
  assert.equal(unreadable.length, builder.entries.length)
})
