import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundCapability } from '../../demo/refunds.ts'
import { createMovableClock } from '../../demo/stage.ts'
import type { HttpAnswer, HttpPlace } from '../agent-auth/client.ts'
import { get, post, problemOf, type Served, served } from '../served.test-support.ts'

const MINUTE = 60_000

type Waiting = { readonly id: string; readonly body: object; readonly dfid: string }

/** A refund that needs a person, and the words with which one lets it go. */
async function waiting(stage: Served, person: HttpPlace): Promise<Waiting> {
  const bot = await stage.agent()
  const flow = await stage.open(bot)
  const asked = await stage.propose(bot, flow, { params: { order: 'o_3', amount: '1200.00' } })
  assert.deepEqual([asked.status, asked.body.outcome], [200, 'ESCALATED'])
  const listed = await get(person, '/v1/escalations')
  const mine = listed.body.escalations.find(({ dfid }: { dfid: string }) => dfid === flow.dfid)
  const { body: shown } = await get(person, `/v1/escalations/${mine.id}`)
  const { intent_digest, shown_snapshot, triggers, impact, requested_at } = shown.request
  const { acknowledge } = shown.request
  const body = {
    decision: 'OVERRIDE',
    intent_digest,
    shown_snapshot,
    lifts: triggers.map(({ id }: { id: string }) => id),
    valid_until: new Date(Date.parse(requested_at) + 10 * MINUTE).toISOString(),
    justification: 'the order is lost, the customer is right',
    acknowledged_impact: impact,
    acknowledgement: acknowledge,
  }
  return { id: mine.id, body, dfid: flow.dfid }
}

function decide(
  person: HttpPlace,
  { id }: Pick<Waiting, 'id'>,
  body: object,
  key: string,
): Promise<HttpAnswer> {
  const headers = { 'idempotency-key': key }
  return post(person, `/v1/escalations/${id}/decision`, { body, headers })
}

test('a person lets it go, once, and is on the record by the name of the token', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const ann = stage.person('ann@example.com', 'approver')
  const request = await waiting(stage, ann)
  clock.ahead(MINUTE)
  const decided = await decide(ann, request, request.body, 'd1')
  assert.equal(decided.status, 200, JSON.stringify(decided.body))
  assert.equal(decided.body.answer.execution.status, 'SUCCESS')
  assert.equal(stage.calls.length, 1)
  const entries = await stage.runtime.store.listFlowEntries(request.dfid)
  const approval = entries.find(({ envelope }) => envelope.kind === 'approval')
  assert.equal(JSON.parse(approval?.payload ?? '{}').body.approver, 'ann@example.com')
  assert.deepEqual((await get(ann, '/v1/escalations')).body.escalations, [])
  const closed = await get(ann, '/v1/escalations?state=closed')
  assert.equal(closed.body.escalations.length, 1)
})

test('the same decision twice is one: replayed under its key, refused under another', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const ann = stage.person('ann', 'approver')
  const request = await waiting(stage, ann)
  clock.ahead(MINUTE)
  const first = await decide(ann, request, request.body, 'd1')
  const again = await decide(ann, request, request.body, 'd1')
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const changed = { ...request.body, justification: 'another' }
  assert.deepEqual(problemOf(await decide(ann, request, changed, 'd1')), [
    422,
    'IDEMPOTENCY_BODY_MISMATCH',
  ])
  assert.deepEqual(problemOf(await decide(ann, request, request.body, 'd2')), [
    409,
    'ESCALATION_DECIDED',
  ])
  assert.equal(stage.calls.length, 1)
})

test('two people at the same moment: one decides, the other is told', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const [ann, ben] = [stage.person('ann', 'approver'), stage.person('ben', 'approver')]
  const request = await waiting(stage, ann)
  clock.ahead(MINUTE)
  const abort = { ...request.body, decision: 'ABORT', lifts: [] }
  const answers = await Promise.all([
    decide(ann, request, request.body, 'a'),
    decide(ben, request, abort, 'b'),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('who may not decide, decides nothing', async (t) => {
  const stage = await served(t)
  const auditor = stage.person('ann', 'auditor', 'operator')
  const request = await waiting(stage, auditor)
  const refused = await decide(auditor, request, request.body, 'd1')
  assert.deepEqual(problemOf(refused), [403, 'ROLE_MISSING'])
  const bot = await stage.agent()
  assert.deepEqual(problemOf(await decide(bot, request, request.body, 'd1')), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await get(bot, '/v1/escalations')), [403, 'ROLE_MISSING'])
})

test('a decision for other bytes, without a key, of nothing, or in other words is refused', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const ann = stage.person('ann', 'approver')
  const request = await waiting(stage, ann)
  clock.ahead(MINUTE)
  const keyless = await post(ann, `/v1/escalations/${request.id}/decision`, { body: request.body })
  assert.deepEqual(problemOf(keyless), [400, 'IDEMPOTENCY_KEY_MISSING'])
  const none = await decide(ann, { id: `${request.dfid}:9` }, request.body, 'd1')
  assert.deepEqual(problemOf(none), [404, 'ESCALATION_UNKNOWN'])
  assert.deepEqual(problemOf(await get(ann, '/v1/escalations/none')), [404, 'ESCALATION_UNKNOWN'])
  const word = await decide(ann, request, { ...request.body, decision: 'SURE' }, 'd2')
  assert.equal(problemOf(word)[1], 'DECISION_UNKNOWN')
  const extra = await decide(ann, request, { ...request.body, mood: 'good' }, 'd3')
  assert.equal(problemOf(extra)[1], 'DECISION_INVALID')
  const bytes = { ...request.body, intent_digest: `sha256:${'0'.repeat(64)}` }
  assert.ok(problemOf(await decide(ann, request, bytes, 'd4'))[0] < 500)
  assert.deepEqual(stage.calls, [])
  assert.equal((await get(ann, '/v1/escalations')).body.escalations.length, 1)
})

test('an effect that nobody can find out about is settled by the word of a person', async (t) => {
  const { idempotency: _, ...keyless } = refundCapability([])
  const execute = (): never => {
    throw new Error('the line went dead')
  }
  const unsafe = { ...keyless, effect: 'unsafe', execute } as const
  const clock = createMovableClock()
  const stage = await served(t, { clock, background: false, capabilities: [unsafe] })
  const bot = await stage.agent()
  const flow = await stage.open(bot)
  await stage.propose(bot, flow)
  clock.ahead(MINUTE)
  await stage.runtime.engine.reconcile()
  const olga = stage.person('olga', 'operator')
  const [row] = (await get(olga, '/v1/executions?status=MANUAL_REVIEW')).body.executions
  const path = `/v1/executions/${row.dfid}:${row.step_id}/resolution`
  const body = {
    outcome: 'applied',
    evidence: { statement: 'line 7' },
    justification: 'it is on the statement',
  }
  const headers = { 'idempotency-key': 'r1' }
  const settled = await post(olga, path, { body, headers })
  assert.deepEqual([settled.status, settled.body.status], [200, 'SUCCESS'])
  const entries = await stage.runtime.store.listFlowEntries(flow.dfid)
  assert.ok(entries.some(({ payload }) => payload?.includes('"by":"olga"')))
  const again = await post(olga, path, { body, headers: { 'idempotency-key': 'r2' } })
  assert.deepEqual(problemOf(again), [409, 'EXECUTION_NOT_IN_REVIEW'])
  const nowhere = `/v1/executions/${row.dfid}:none/resolution`
  const unknown = await post(olga, nowhere, { body, headers: { 'idempotency-key': 'r3' } })
  assert.deepEqual(problemOf(unknown), [404, 'EXECUTION_UNKNOWN'])
  const clean = await post(olga, `/v1/flows/${flow.dfid}/resolution`, {
    body: { ...body, outcome: 'abandon' },
    headers: { 'idempotency-key': 'r4' },
  })
  assert.deepEqual(problemOf(clean), [409, 'FLOW_NOT_DIRTY'])
})

test('monitors are shown to people', async (t) => {
  const stage = await served(t)
  const { status, body } = await get(stage.person('ann', 'auditor'), '/v1/monitors')
  assert.deepEqual([status, body.monitors], [200, []])
})
