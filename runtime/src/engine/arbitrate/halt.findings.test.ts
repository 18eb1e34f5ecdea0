/** A HALT is not lost by what others of its event do, and nothing is sent after it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { type Capability, type Effect, NotApplied } from '../../ports/capability.ts'
import { ANN, decisionFor } from '../approve/escalation.test-support.ts'
import { findEvent } from '../flow/event-rows.ts'
import { buildChangedEvent } from '../flow/event-standing.ts'
import {
  type EventStage,
  eventStage,
  RISK,
  SENTIMENT,
  STRATEGY,
} from './event-stage.test-support.ts'

async function approveFirst(stage: EventStage): Promise<void> {
  const { oversight } = stage.engine()
  const [first] = await oversight.escalations()
  const view = await oversight.escalation(first?.id ?? '')
  assert.ok(view !== null, 'a person is asked')
  const decision = decisionFor(stage, view.request, {})
  assert.ok((await oversight.decideEscalation(view.request.id, decision, ANN)).ok)
  await stage.engine().runDue()
  await stage.engine().context.inFlight.awaitDrained()
}

test('a HALT that a person is asked about is not void because another has won', async () => {
  const stage = await eventStage({
    safety_rules: { requires_human_approval: ['HALT'] },
    people: ['ann@example.com'],
  })
  await stage.wake()
  assert.equal((await stage.bid(RISK, 'HALT', { reason: 'wrong' })).outcome, 'ESCALATED')
  await stage.bid(STRATEGY, 'BUY')
  await stage.closeWindow()
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  assert.equal((await stage.flowOf(RISK)).state, 'ESCALATED')
  await approveFirst(stage)
  assert.equal(await stage.lastWord(SENTIMENT), 'rejection EVENT_HALTED')
  await stage.close()
})

type HaltStage = EventStage & { readonly provider: { sends: number } }

/** What strategy wanted was sent once, and may be sent again; then risk halted the event. */
async function haltAfterSend(
  isKnown: boolean,
  executors: 'inline' | 'separate',
): Promise<HaltStage> {
  const provider = { sends: 0 }
  const execute = (): Effect => {
    provider.sends += 1
    if (provider.sends > 1) return { result: 'done' }
    throw isKnown ? new NotApplied('busy', { transient: true }) : new Error('connection reset')
  }
  const buy: Capability = {
    kind: 'BUY',
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params: { type: 'object', properties: { what: { type: 'string' } } },
    idempotency: { carrier: 'header', window_s: 86_400 },
    execute,
  }
  const capabilities = ['BUY', 'SELL', 'ALERT'].map((kind) => ({ ...buy, kind }))
  const stage = await eventStage({ arbitration: null, executors, capabilities })
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  await stage.engine().context.inFlight.awaitDrained()
  assert.equal(provider.sends, 1)
  assert.equal((await stage.bid(RISK, 'HALT', { reason: 'wrong' })).outcome, 'ACCEPTED')
  await stage.engine().context.inFlight.awaitDrained()
  return { ...stage, provider }
}

async function reconcileLater(stage: EventStage): Promise<void> {
  await stage.clock.advance(5_000)
  await stage.engine().reconcile()
  await stage.engine().context.inFlight.awaitDrained()
}

for (const executors of ['inline', 'separate'] as const)
  for (const isKnown of [true, false])
    test(`nothing is sent again after a HALT: ${isKnown ? 'not applied' : 'unknown'}, ${executors}`, async () => {
      const stage = await haltAfterSend(isKnown, executors)
      await reconcileLater(stage)
      assert.equal(stage.provider.sends, 1)
      const { dfid } = await stage.flowOf(STRATEGY)
      const [row] = await stage.runtime().store.listExecutions({ dfid, limit: 1 })
      assert.equal(row?.status, isKnown ? 'FAILED' : 'MANUAL_REVIEW')
      assert.equal(row?.details?.refused, 'EVENT_HALTED')
      await stage.close()
    })

test('a record of an event that was changed does not hide that something was sent again after its HALT', async () => {
  const stage = await haltAfterSend(true, 'inline')
  const { store } = stage.runtime()
  const { event } = await stage.flowOf(STRATEGY)
  const stored = await findEvent(store, event?.event_id ?? '')
  assert.ok(stored !== null)
  const { halted_by: _, ...body } = stored.body
  assert.ok((await store.commit(buildChangedEvent(stored, body))).ok)
  await reconcileLater(stage)
  assert.equal(stage.provider.sends, 2)
  await stage.engine().checkpoint()
  const lines: string[] = []
  await exportLedger(store, (line) => void lines.push(line))
  const { findings } = verifyAny(lines.join(''), nodeCrypto)
  assert.deepEqual(
    findings.map(({ detail }) => detail.includes('its event was halted')),
    [true],
  )
  await stage.runtime().close()
})
