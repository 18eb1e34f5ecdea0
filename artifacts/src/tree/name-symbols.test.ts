import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { findSymbol } from './find-symbol.ts'

test('every symbol is found by its path, also one without a name or with a very long one', () => {
  const json = findFormat('a.json') ?? assert.fail()
  const long = 'é😀'.repeat(ARTIFACT_LIMITS.nameLength)
  const parsed = parseWhole(
    json,
    JSON.stringify({ '': { a: 1 }, [`${long}1`]: 2, [`${long}2`]: 3 }),
  )
  assert.equal(parsed.symbols.length, 3)
  for (const symbol of parsed.symbols) {
    const found = findSymbol(parsed, symbol.path)
    assert.equal(found.ok ? found.value : null, symbol)
  }
  assert.equal(findSymbol(parsed, 'key:/key:a').ok, true)
})
