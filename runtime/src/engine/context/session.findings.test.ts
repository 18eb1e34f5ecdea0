import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionEvent, WorkingContext } from 'rubicon-kernel'
import { layerStage } from './layer-stage.test-support.ts'
import { buildSessionEvents } from './session-events.ts'

const REFUND = { policy_kind: 'REFUND', params: { amount: '20' }, step_id: 'step-1' }

type Told = readonly [kind: SessionEvent['kind'], label: string, said: unknown]

function toldIn({ session }: WorkingContext): readonly Told[] {
  return session.map(({ kind, label, text }) => {
    return [kind, label, kind === undefined ? text : JSON.parse(text)]
  })
}

test('finding 26c: the session of a flow holds what it proposed, what was decided, and what was observed', async () => {
  const it = await layerStage()
  const flow = await it.open({ steps: 'many' })
  assert.deepEqual(toldIn(flow.context), [])
  await flow.note('thinking')
  await it.clock.advance(1)
  await flow.propose({ ...REFUND, params: { amount: '500.01' }, justification: 'all of it' })
  await it.clock.advance(1)
  await flow.propose(REFUND)
  const elsewhere = await it.open()
  await elsewhere.propose({ ...REFUND, params: { amount: '7' } })

  const context = await flow.refresh()
  const told = toldIn(context)
  const details = (told[3]?.[2] as { readonly details: string } | undefined)?.details
  assert.match(details ?? '', /"value":"500.01"/)
  const wanted = { policy_kind: 'REFUND', params: { amount: '500.01' }, rationale: 'all of it' }
  const no = { outcome: 'REJECTED', reason_code: 'LIMIT_EXCEEDED' }
  assert.deepEqual(told, [
    [undefined, 'agent', 'thinking'],
    ['proposal', 'agent', { attempt: 1, ...wanted }],
    ['verdict', 'trusted', { attempt: 1, ...no, summary: context.memory[0]?.summary }],
    ['observation', 'external', { attempt: 1, details }],
    ['proposal', 'agent', { attempt: 2, policy_kind: 'REFUND', params: { amount: '20' } }],
    [
      'verdict',
      'trusted',
      { attempt: 2, outcome: 'ACCEPTED', reason_code: null, summary: 'it was sent' },
    ],
    ['observation', 'external', { attempt: 2, status: 'SUCCESS', result: 'done' }],
  ])
  assert.ok(context.session.every(({ tokens }) => tokens > 0))
  const again = await flow.refresh()
  assert.equal(again.snapshot_id, context.snapshot_id, 'the same past is the same snapshot')
  await it.close()
})

test('finding 26c: a refusal that comes with a new context stands in it', async () => {
  const price = 'market.price'
  const it = await layerStage({
    capability: {
      jit_fields: ['price'],
      jit: () => ({ price: { path: price, kind: 'telemetry' } }),
    },
    contract: { jit_verification: { drift_envelope: { price_pct: '0.5' } } },
  })
  const quote = (value: string) => it.layers.observe({ path: price, value })
  await quote('99.50')
  const flow = await it.open({ state: [price] })
  await it.clock.advance(1)
  await quote('120.00')
  const { context } = await flow.propose(REFUND)
  assert.ok(context !== undefined)
  assert.deepEqual(
    toldIn(context).map(([kind]) => kind),
    ['proposal', 'verdict', 'observation'],
  )
  await it.close()
})

test('an effect whose outcome becomes known later was proposed once', () => {
  const first = {
    at: '2026-03-02T10:00:00.000Z',
    dfid: 'f',
    attempt: 1,
    policy_kind: 'REFUND',
    outcome: 'UNKNOWN',
    reason_code: 'OUTCOME_UNKNOWN',
    summary: 'nobody knows',
    tokens: 1,
  }
  const later = { ...first, at: '2026-03-02T10:01:00.000Z', outcome: 'SUCCESS', reason_code: null }
  const records = [later, first].map((body) => ({ key: `${body.at}:f:1`, body }))
  assert.deepEqual(
    buildSessionEvents(records, (text) => text.length).map(({ body: { kind, text } }) => [
      kind,
      text,
    ]),
    [
      ['proposal', '{"attempt":1,"policy_kind":"REFUND"}'],
      ['verdict', '{"attempt":1,"outcome":"ACCEPTED","reason_code":null,"summary":"it was sent"}'],
      ['observation', '{"attempt":1,"reason_code":"OUTCOME_UNKNOWN","status":"UNKNOWN"}'],
      ['observation', '{"attempt":1,"status":"SUCCESS"}'],
    ],
  )
})
