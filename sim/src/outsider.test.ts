import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCanonicalText } from 'rubicon-kernel'
import { lookFromOutside } from './outsider.ts'
import { runSeed } from './storm.ts'

test('I20: an outsider finds nothing in what a storm left, and what was changed in it', async () => {
  const { entries, violations } = await runSeed(16)
  assert.deepEqual(violations, [])
  const look = (seen: typeof entries): readonly string[] => {
    const found: string[] = []
    lookFromOutside(seen, (invariant, detail) => found.push(`${invariant} ${detail}`))
    return found
  }
  assert.deepEqual(look(entries), [])
  const refused = entries.findLast(({ envelope, payload }) => {
    return envelope.kind === 'rejection' && JSON.parse(payload ?? '{}').gate === 2
  })
  assert.ok(refused?.payload != null)
  const payload = toCanonicalText({ ...JSON.parse(refused.payload), reason_code: 'KIND_FORBIDDEN' })
  const codes = look(entries.map((one) => (one === refused ? { ...one, payload } : one)))
  assert.ok(codes.some((text) => text.includes(`${refused.leaf}: PAYLOAD_HASH`)))
  assert.ok(codes.some((text) => text.includes(`${refused.leaf}: LAW_MISMATCH`)))
})
