import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address, WritBody } from 'rubicon-kernel'
import { BODIES } from '../authority/writs.ts'
import { FOLDED, type FoldedIntent } from '../effects/folded-intent.ts'
import type { Intent } from './flow-rows.ts'
import { createPackedMap, type Packing } from './packed-map.ts'
import { FLOWS, INTENTS } from './packings.ts'

const addressOf = (digit: string): Address => `sha256:${digit.repeat(64)}`
const DFID = '01a1e360-fda4-74f6-902c-0a27f439390b'

/** What comes back once it was packed away. */
function packed<V>(packing: Packing<V>, value: V): V | undefined {
  const map = createPackedMap(packing, 1)
  map.set('it', value)
  for (const other of ['one', 'two', 'three']) map.set(other, value)
  return map.get('it')
}

const SENT: Intent = {
  trajectory: 'main',
  dfid: DFID,
  seq: 7,
  acceptedSeq: null,
  agent: 'refunds_bot',
  contract: addressOf('a'),
  writ: addressOf('b'),
  speaker: null,
  bearer: DFID,
  ruledBy: { rules: addressOf('c'), kind: 'REFUND', capability: addressOf('d') },
  approvedUntil: null,
  hashes: addressOf('e').repeat(5),
  sends: 1,
  abandoned: false,
  asks: null,
}

test('of an intent nothing is lost before it was sent and committed', () => {
  const others: readonly Partial<Intent>[] = [
    {},
    { sends: null, acceptedSeq: 7, abandoned: true },
    { sends: null, acceptedSeq: 7, hashes: null },
    { speaker: 'agent-1', bearer: 'another', ruledBy: null },
    { approvedUntil: '2026-02-01T09:30:00.000Z', sends: 3, asks: 'a b c' },
  ]
  for (const other of others) {
    const intent = { ...SENT, ...other }
    assert.deepEqual(packed(INTENTS, intent), intent)
  }
})

test('of one that was, it is known where, and that it was', () => {
  const back = packed(INTENTS, { ...SENT, hashes: null, sends: 2 })
  const { trajectory, dfid, hashes, sends } = back ?? SENT
  assert.deepEqual([trajectory, dfid, hashes, sends === null], ['main', DFID, null, false])
})

test('of a flow and of a writ nothing is lost', () => {
  const pinned = { contract: addressOf('a'), writ: addressOf('b') }
  for (const isOneStep of [true, false]) {
    const topic = isOneStep ? 'market.*' : null
    const event = isOneStep ? pinned.writ : null
    const flow = { trajectory: 'main', agent: 'refunds_bot', ...pinned, isOneStep, event, topic }
    assert.deepEqual(packed(FLOWS, flow), flow)
  }
  const body: WritBody = {
    tenant: 'acme',
    issuer_key: 'issuer-1',
    subject: 'refunds_bot',
    audience: 'rubicon',
    nonce: DFID,
    scopes: [{ kind: 'REFUND', resources: { currencies: ['USD'] } }, { kind: 'PAY_*' }],
    effect_ceiling: { read: true, write: true, external: false, irreversible: false },
    budget: { calls: '3', usd: '0.5' },
    window: { not_before: '2026-02-01T09:30:00.000Z', expires_at: '2026-02-02T09:30:00.000Z' },
    delegation: { max_depth: 1, may_delegate: true },
  }
  assert.deepEqual(packed(BODIES, body), body)
  const child = { ...body, parent: addressOf('f'), subject_key: 'agent-2' }
  assert.deepEqual(packed(BODIES, child), child)
})

test('of what an intent does nothing is lost until that is settled', () => {
  const folded: FoldedIntent = {
    dfid: DFID,
    step: 'step-1',
    writ: addressOf('a'),
    cost: { calls: '1', usd: '0.5' },
    agent: 'refunds_bot',
    kind: 'REFUND',
    contract: addressOf('b'),
    staged_at: '2026-02-01T09:30:00.000Z',
    dispatch_before: '2026-02-01T09:30:30.000Z',
    until: 1_769_938_230_000,
    firstSent: 1_769_938_200_000,
    keyForMs: 86_400_000,
    undoes: true,
    isProven: true,
    effect: 'keyed',
    status: 'UNKNOWN',
    found: { source: 'probe', finding: 'absent' },
  }
  const nothing = { until: null, keyForMs: null, undoes: false, effect: null, found: null }
  for (const intent of [folded, { ...folded, ...nothing }, 'settled'] as const)
    assert.deepEqual(packed(FOLDED, intent), intent)
})
