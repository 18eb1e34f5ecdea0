import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { parseFactSource } from './source.ts'

const FEED = { source_id: 'feed', label: 'trusted', paths: ['market.*', 'fx.EUR', '*'] }
const KEY = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
const WEAK = 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

test('a source is read as it is, with the largest number of paths when nobody says', () => {
  const read = parseFactSource(FEED)
  assert.deepEqual(read.ok && read.value, { ...FEED, max_paths: LIMITS.sourcePaths })
  const full = { ...FEED, max_paths: 3, key: KEY }
  assert.deepEqual(parseFactSource(full), { ok: true, value: full })
  assert.ok(parseFactSource({ ...FEED, max_paths: 1 }).ok)
})

test('a source is trusted, of the operator, or external', () => {
  for (const label of ['trusted', 'operator', 'external'])
    assert.ok(parseFactSource({ ...FEED, label }).ok, label)
})

test('what cannot be checked cannot be registered', () => {
  const many = Array.from({ length: LIMITS.sourcePatterns + 1 }, (_, i) => `p${i}`)
  for (const change of [
    { label: 'agent' },
    { label: undefined as never },
    { source_id: 'operator:jane' },
    { source_id: '' },
    { source_id: 7 },
    { paths: [] },
    { paths: 'market' },
    { paths: ['a', 'a'] },
    { paths: ['a b'] },
    { paths: [7] },
    { paths: ['**'] },
    { paths: many },
    { paths: ['kernel.x'] },
    { paths: ['escalation.*'] },
    { paths: ['claims.bot.x'] },
    { max_paths: 0 },
    { max_paths: 1.5 },
    { max_paths: '7' },
    { max_paths: LIMITS.sourcePaths + 1 },
    { key: 'AAAA' },
    { key: WEAK },
    { key: 7 },
    { read: true },
  ])
    assert.equal(parseFactSource({ ...FEED, ...change }).ok, false, JSON.stringify(change))
  assert.equal(parseFactSource('feed').ok, false)
})

test('a key is 32 bytes in base64, and is told apart from one that cannot be used', () => {
  const describe = (key: string): string => {
    const parsed = parseFactSource({ ...FEED, key })
    return parsed.ok ? 'parsed' : JSON.stringify(parsed.error)
  }
  assert.equal(describe(KEY), 'parsed')
  for (const key of ['', 'AAAA', `${KEY.slice(0, -1)}`, `${KEY}AAAA`, 'not base64'])
    assert.match(describe(key), /is not base64 of 32 bytes/, key)
  assert.match(describe(WEAK), /cannot be used/)
})
