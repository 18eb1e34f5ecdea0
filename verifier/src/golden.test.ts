import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nodeCrypto } from './node-crypto.ts'
import { verifyAny } from './verify-any.ts'

const FOLDER = new URL('../../testdata/golden/', import.meta.url)

/** What each release wrote. A line is added with a release; none is ever changed. */
const ROOTS: Readonly<Record<string, { readonly entries: number; readonly root: string }>> = {
  '0.1.0': { entries: 30, root: '4XW6Y0LxPHpjWqlRSO+tbYuzu9ajjfXkOHSOTQeq1bY=' },
}

for (const [version, { entries, root }] of Object.entries(ROOTS))
  test(`the ledger of release ${version} still verifies, World included, to the same root`, () => {
    const report = verifyAny(readFileSync(new URL(`${version}.ndjson`, FOLDER)), nodeCrypto)
    assert.deepEqual(report.findings, [])
    assert.equal(report.entries, entries)
    assert.equal(report.checkpoint?.root, root)
  })

test('every golden ledger is held by this test', () => {
  const files = readdirSync(FOLDER).map((name) => name.replace('.ndjson', ''))
  assert.deepEqual(files.sort(), Object.keys(ROOTS).sort())
})
