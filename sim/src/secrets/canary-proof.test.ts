import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCanarySecret, toCredential } from './credential.ts'
import { runCanaryProof } from './main.ts'
import { findLeaks } from './search.ts'

test('no credential is seen again: in no log, answer, entry, export, trace, file or agent', async () => {
  const report = await runCanaryProof({ isSmall: process.env.RUBICON_FULL !== '1' })
  assert.deepEqual(report.found, [])
  assert.equal(report.leaks, 0)
  assert.deepEqual(report.unused, [])
  assert.ok(report.credentials >= 18, `${report.credentials} credentials`)
  assert.ok(report.places_searched >= 200, `${report.places_searched} places`)
})

test('a secret is found as it is and coded, whole and half, and not where it belongs', () => {
  const secret = createCanarySecret('key', ['its file'])
  const find = (text: string, place = 'log'): number =>
    findLeaks([secret], [{ name: place, bytes: Buffer.from(text) }]).length
  const { value } = secret
  const bytes = Buffer.from(`Bearer ${value}`)
  for (const text of [
    value,
    JSON.stringify({ value }),
    encodeURIComponent(value),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...['', 'a', 'ab'].map((before) => Buffer.from(before + value).toString('base64')),
    bytes.toString('base64url'),
    value.slice(0, value.length / 2),
    value.slice(value.length / 2),
  ])
    assert.equal(find(`before ${text} behind`), 1, text)
  assert.equal(find('nothing to see here'), 0)
  assert.equal(find(value, 'its file'), 0)
  const key = toCredential('seed', Buffer.from('00ff10fe20fd30fc40fb', 'hex'))
  const stored = Buffer.concat([Buffer.alloc(7), Buffer.from('00ff10fe20fd30fc40fb', 'hex')])
  assert.equal(findLeaks([key], [{ name: 'store', bytes: stored }]).length, 1)
})
