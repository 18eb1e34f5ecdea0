import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Capability } from '../../ports/capability.ts'
import type { DeclaredSource } from '../../ports/fact-source.ts'
import { flowStage } from '../flow/flow-stage.test-support.ts'

const DESKS = ['a', 'b'] as const
const VENUES = ['venue.a', 'venue.b']

test('an event whose winner waits for a source does not keep the windows of others open, and is not begun twice', async () => {
  const sent: string[] = []
  let asked = 0
  let silent = ''
  const heard = Promise.withResolvers<void>()
  const venues: DeclaredSource = {
    source_id: 'venues',
    label: 'trusted',
    paths: VENUES,
    async read(paths) {
      if (paths.includes(silent)) {
        asked += 1
        await heard.promise
      }
      const observed_at = new Date(stage.clock.now()).toISOString()
      return paths.map((path) => ({ path, value: '100', observed_at, version: observed_at }))
    },
  }
  const stage = await flowStage({
    sources: [venues],
    capabilities: [createBuy(sent)],
    topics: [{ topic: 'market.*', arbitration: { window_ms: 2_000 } }],
  })
  for (const desk of DESKS)
    for (const nth of [1, 2])
      await stage.deploy({
        agent_id: `${desk}_${nth}`,
        permissions: {
          policy_kinds: ['BUY'],
          subscriptions: [{ topic: `market.${desk}` }],
          reads: ['market.*', 'venue.*'],
        },
        jit_verification: { drift_envelope: { price_pct: '5' } },
      })
  for (const desk of DESKS) await stage.runtime().observe({ path: `market.${desk}`, value: '1' })
  await stage.engine().runDue()
  const flows = await stage.flows()
  const events: { readonly desk: string; readonly event_id: string }[] = []
  for (const desk of DESKS) {
    const flow = flows.find(({ agent_id }) => agent_id === `${desk}_1`)
    assert.ok(flow?.event)
    events.push({ desk, event_id: flow.event.event_id })
    const seen = await stage.engine().contextStore.refresh(flow.dfid, { state: [`venue.${desk}`] })
    assert.ok(seen.ok)
    const params = { venue: `venue.${desk}` }
    const answer = await stage
      .engine()
      .propose(flow.dfid, { policy_kind: 'BUY', params }, { waitMs: 0 })
    assert.equal(answer.execution?.status, 'PENDING', JSON.stringify(answer))
  }
  assert.deepEqual(sent, [])
  // The one that is looked at first.
  const [first, second] = events.toSorted((x, y) => (x.event_id < y.event_id ? -1 : 1))
  assert.ok(first !== undefined && second !== undefined)
  silent = `venue.${first.desk}`
  await stage.clock.advance(2_000)
  let isSwept = false
  const swept = stage
    .engine()
    .runDue()
    .finally(() => {
      isSwept = true
    })
  // Less than a source may take.
  for (let step = 0; step < 20 && !isSwept; step++) await stage.clock.advance(100)
  assert.ok(isSwept, 'the sweep waits for one event')
  await swept
  const { inFlight, settling } = stage.engine().context
  // The sweep has begun it; how many turns it takes until it is under way is nobody's business.
  for (let turn = 0; turn < 1_000 && sent.length === 0; turn += 1) await nextTurn()
  await inFlight.awaitDrained()
  assert.deepEqual(sent, [`venue.${second.desk}`])
  await stage.engine().runDue()
  assert.equal(asked, 1)
  heard.resolve()
  await settling.finish()
  await inFlight.awaitDrained()
  assert.deepEqual(sent, [`venue.${second.desk}`, `venue.${first.desk}`])
  await stage.close()
})

function createBuy(sent: string[]): Capability {
  return {
    kind: 'BUY',
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params: {
      type: 'object',
      properties: { venue: { enum: VENUES } },
      required: ['venue'],
      additionalProperties: false,
    },
    jit_fields: ['price'],
    jit: ({ venue }) => ({ price: { path: String(venue), kind: 'telemetry' } }),
    execute({ params }) {
      sent.push(String(params.venue))
      return { result: 'done' }
    },
  }
}
