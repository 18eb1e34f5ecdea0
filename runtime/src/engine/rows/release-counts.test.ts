import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../adapters/system/sha256.ts'
import { buildReleaseGuards, countReleases, toReleaseCounter } from './release-counts.ts'

const need = (id: string) => ({ id, amount: '1' })

/** Two names of one counter. */
function findPair(): readonly [string, string] {
  const seen = new Map<string, string>()
  for (let n = 0; ; n++) {
    const counter = toReleaseCounter(`vault/${n}`, sha256)
    const other = seen.get(counter)
    if (other !== undefined) return [other, `vault/${n}`]
    seen.set(counter, `vault/${n}`)
  }
}

test('however many resources there are, there are 65,536 counters', () => {
  for (const id of ['vault', 'vault/1', 'Tür 7', ''])
    assert.match(toReleaseCounter(id, sha256), /^released [0-9a-f]{4}$/)
  // The SHA-256 of `abc`, as its standard says.
  assert.equal(toReleaseCounter('abc', sha256), 'released ba78')
})

test('resources that share a counter are counted once, and guarded once', () => {
  const [first, second] = findPair()
  const id = toReleaseCounter(first, sha256)
  const needs = [need(first), need(second)]
  assert.deepEqual(countReleases(needs, sha256), [{ kind: 'count', id, by: 1 }])
  const guards = buildReleaseGuards(needs, new Map([[id, 3]]), sha256)
  assert.deepEqual(guards, [{ kind: 'counter', id, by: 0, limit: 3 }])
})

test('what nobody looked at before a source was asked never holds', () => {
  const id = toReleaseCounter('vault', sha256)
  assert.deepEqual(buildReleaseGuards([need('vault')], new Map(), sha256), [
    { kind: 'counter', id, by: 0, limit: -1 },
  ])
  assert.deepEqual(buildReleaseGuards([], new Map(), sha256), [])
})
