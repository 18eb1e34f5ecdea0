import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { type AttenuationRequest, attenuateWrit } from './attenuate.ts'
import type { WritBody } from './writ.ts'

const id = `sha256:${'1'.repeat(64)}` as const
const body: WritBody = {
  tenant: 't',
  issuer_key: 'key-issuer',
  subject: 'agent',
  subject_key: 'key-agent',
  audience: 'rubicon',
  nonce: '019b76da-a800-7000-8000-000000000000',
  scopes: [{ kind: 'BUY', resources: { instruments: ['re:ETH-.*', 'BTC-USD'] } }],
  effect_ceiling: { read: true, write: true, external: true, irreversible: false },
  budget: { calls: '10', usd: '1.50' },
  window: { not_before: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-02T00:00:00.000Z' },
  delegation: { max_depth: 2, may_delegate: true },
}

function attenuated(
  request: Partial<AttenuationRequest>,
  parent: WritBody = body,
): ReturnType<typeof attenuateWrit> {
  return attenuateWrit({ id, body: parent }, { subject: 'child', nonce: 'n', ...request })
}

test('a request that narrows nothing gets all but one level of depth', () => {
  const child = attenuated({ subject_key: 'key-child' })
  assert.ok(child.ok)
  assert.deepEqual(
    { ...child.value, budget: { ...child.value.budget } },
    {
      ...body,
      issuer_key: 'key-agent',
      subject: 'child',
      subject_key: 'key-child',
      nonce: 'n',
      parent: id,
      budget: { calls: '10', usd: '1.5' },
      delegation: { max_depth: 1, may_delegate: true },
    },
  )
})

test('a budget that is asked for is whole: what it or the parent does not name is gone', () => {
  const child = attenuated({ budget: { usd: '9', kwh: '1' } })
  assert.ok(child.ok)
  assert.deepEqual({ ...child.value.budget }, { usd: '1.5' })
})

test('a bare date in a request is written as a time', () => {
  const window = { not_before: '2025-01-01', expires_at: '2026-01-01T12:00:00Z' }
  const child = attenuated({ window })
  assert.ok(child.ok)
  assert.deepEqual(child.value.window, {
    not_before: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-01T12:00:00.000Z',
  })
})

test('an expression survives only beside itself or everything', () => {
  const left = (patterns: readonly string[]): readonly string[] | undefined => {
    const child = attenuated({ scopes: [{ kind: '*', resources: { instruments: patterns } }] })
    assert.ok(child.ok)
    return child.value.scopes[0]?.resources?.instruments
  }
  assert.deepEqual(left(['*']), ['re:ETH-.*', 'BTC-USD'])
  assert.deepEqual(left(['re:ETH-.*']), ['re:ETH-.*'])
  assert.deepEqual(left(['ETH-USD', 're:.*']), [])
})

test('requests that leave nothing are refused', () => {
  const refused: readonly Partial<AttenuationRequest>[] = [
    { scopes: [{ kind: 'SELL' }] },
    { scopes: [] },
    { budget: { usd: '-1' } },
    { budget: { calls: '0.5' } },
    { window: { not_before: '2026-01-02' } },
    { window: { expires_at: '2026-01-01' } },
    { window: { expires_at: 'never' } },
  ]
  for (const request of refused) assert.equal(attenuated(request).ok, false)
})

test('a parent with an amount that cannot be counted has no children', () => {
  assert.equal(attenuated({}, { ...body, budget: { usd: 'all' } }).ok, false)
})

test('more scopes than a writ may hold are refused', () => {
  const half = Math.ceil(Math.sqrt(LIMITS.writScopes + 1))
  const many = (set: string) =>
    Array.from({ length: half }, (_, i) => ({ kind: 'BUY', resources: { [set]: [`v${i}`] } }))
  assert.equal(attenuated({ scopes: many('b') }, { ...body, scopes: many('a') }).ok, false)
  assert.equal(
    attenuated({ scopes: many('b').slice(1) }, { ...body, scopes: many('a').slice(1) }).ok,
    true,
  )
})

test('depth only falls, and at the bottom nothing is delegated', () => {
  const depth = (max_depth: number): WritBody['delegation'] | undefined => {
    const child = attenuated({ delegation: { max_depth } })
    return child.ok ? child.value.delegation : undefined
  }
  assert.deepEqual(depth(9), { max_depth: 1, may_delegate: true })
  assert.deepEqual(depth(0), { max_depth: 0, may_delegate: false })
  assert.deepEqual(depth(-1), { max_depth: 0, may_delegate: false })
  assert.deepEqual(depth(0.5), { max_depth: 0, may_delegate: false })
  const still = attenuated({ delegation: { may_delegate: false } })
  assert.ok(still.ok)
  assert.deepEqual(still.value.delegation, { max_depth: 1, may_delegate: false })
})

test('a writ of depth one has a child, and one of depth none has none', () => {
  const at = (max_depth: number) =>
    attenuated({}, { ...body, delegation: { max_depth, may_delegate: true } })
  const last = at(1)
  assert.deepEqual(last.ok && last.value.delegation, { max_depth: 0, may_delegate: false })
  const none = at(0)
  assert.equal(none.ok ? null : none.error.code, 'DELEGATION_DEPTH')
})
