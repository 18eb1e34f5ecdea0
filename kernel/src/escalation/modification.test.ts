import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../compile/case.test-support.ts'
import { computeModificationDigest, type JudgedModification } from './modification.ts'

const JUDGED: JudgedModification = {
  request_id: 'r:1',
  judged_for: 'p_ann',
  proposal_hash: `sha256:${'8'.repeat(64)}`,
  impact: 'LOW_IMPACT',
  impact_reasons: [],
  exposure: null,
  not_before: '2026-03-02T10:00:00.000Z',
}

test('M1 the digest is another for whatever is judged otherwise', () => {
  const changes: readonly Partial<JudgedModification>[] = [
    {},
    { request_id: 'r:2' },
    { judged_for: 'p_bob' },
    { proposal_hash: `sha256:${'9'.repeat(64)}` },
    { impact: 'HIGH_IMPACT' },
    { impact_reasons: ['unusual'] },
    { acknowledge: 'ETH-USD' },
    { not_before: '2026-03-02T10:00:00.001Z' },
  ]
  const digests = changes.map((change) =>
    computeModificationDigest({ ...JUDGED, ...change }, sha256),
  )
  assert.equal(new Set(digests).size, changes.length)
  assert.equal(digests[0], computeModificationDigest({ ...JUDGED }, sha256))
})
