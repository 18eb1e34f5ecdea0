/** What the address, the session and the flow already say need not be said again in a proposal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentKey } from 'rubicon-agents'
import {
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type JsonValue,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import type { Runtime } from '../../../../runtime/src/compose.ts'
import { exportLedger } from '../../../../runtime/src/evidence/export-ledger.ts'
import type { HttpAnswer } from '../agent-auth/client.ts'
import { AGENT, type OpenFlow, post, refund, type Served, served } from '../served.test-support.ts'

const ACTION = { policy_kind: 'REFUND', params: { order: 'o_1', amount: '20.00' } }

async function sent(to: Served, { dfid }: OpenFlow, body: object): Promise<HttpAnswer> {
  return post(await to.agent(), `/v1/flows/${dfid}/proposals`, { body })
}

async function statusOf({ engine }: Runtime): Promise<string | undefined> {
  return (await engine.context.authorities.loadLatest()).statuses.get(AGENT)
}

/** What the ledger keeps of the decisions of a flow. */
async function recorded({ store }: Runtime, { dfid }: OpenFlow) {
  const entries = await store.listFlowEntries(dfid)
  return entries
    .filter(({ envelope }) => ['dispatch', 'rejection'].includes(envelope.kind))
    .map(({ payload }) => JSON.parse(payload ?? '{}'))
}

async function assertVerifies({ store, engine }: Runtime): Promise<void> {
  const lines: string[] = []
  await engine.checkpoint()
  await exportLedger(store, (line) => void lines.push(line))
  assert.deepEqual(verifyAny(lines.join(''), nodeCrypto).findings, [])
}

async function signedProposal({ key_id, sign }: AgentKey, proposal: object): Promise<object> {
  const text = toCanonicalText(proposal as JsonValue)
  const sig = encodeBase64(await sign(encodePreAuth(toPayloadType('proposal'), encodeUtf8(text))))
  return { ...proposal, signature: { key_id, sig } }
}

/** What becomes of a proposal that leaves one member out. */
async function outcomeWithout(to: Served, member: string): Promise<string> {
  const flow = await to.open(await to.agent())
  const { [member]: _, ...lacking } = refund(flow) as Record<string, unknown>
  const { body } = await sent(to, flow, lacking)
  return body.reason_code ?? body.outcome
}

test('finding 25a: a proposal without a mission hash suspends nobody', async (t) => {
  const to = await served(t)
  assert.equal(await outcomeWithout(to, 'mission_context_hash'), 'ACCEPTED')
  assert.equal(await statusOf(to.runtime), 'ACTIVE')
  await assertVerifies(to.runtime)
})

test('finding 25b: a proposal without context_ref is made on what the flow shows', async (t) => {
  const to = await served(t)
  assert.equal(await outcomeWithout(to, 'context_ref'), 'ACCEPTED')
  await assertVerifies(to.runtime)
})

test('finding 25b: what URL, session and flow say is filled in, marked, and never against what is said', async (t) => {
  const to = await served(t)
  const agent = await to.agent()
  const flow = await to.open(agent)
  const { body } = await sent(to, flow, ACTION)
  assert.equal(body.outcome, 'ACCEPTED')
  const [dispatch] = await recorded(to.runtime, flow)
  const { context } = flow
  assert.deepEqual(dispatch.proposal, {
    ...ACTION,
    dfid: flow.dfid,
    agent_id: AGENT,
    context_ref: context.snapshot_id,
    mission_context_hash: context.mission_context_hash,
  })
  const FILLED = ['agent_id', 'context_ref', 'dfid', 'mission_context_hash']
  assert.deepEqual(dispatch.filled, FILLED)
  const bytes = nodeCrypto.sha256(encodeUtf8(JSON.stringify(ACTION)))
  assert.equal(dispatch.received, Buffer.from(bytes).toString('hex'), 'the bytes as they came')

  for (const [member, value, code] of [
    ['dfid', '01890000-0000-7000-8000-000000000000', 'IDENTITY_MISMATCH'],
    ['agent_id', 'other_bot', 'IDENTITY_MISMATCH'],
    ['context_ref', `sha256:${'0'.repeat(64)}`, 'STALE_CONTEXT'],
    ['mission_context_hash', `sha256:${'0'.repeat(64)}`, 'MISSION_DISSONANCE'],
  ] as const) {
    const wrong = await to.open(await to.agent())
    const answer = await sent(to, wrong, { ...ACTION, [member]: value })
    assert.equal(answer.body.reason_code, code)
  }
  assert.equal(await statusOf(to.runtime), 'SUSPENDED', 'another mission is dissonance')
  await assertVerifies(to.runtime)
})

test('finding 25b: a signed proposal is never completed: what it lacks refuses, and suspends nobody', async (t) => {
  const to = await served(t)
  const agent = await to.agent()
  const key = await to.key(AGENT)
  for (const member of ['dfid', 'agent_id', 'mission_context_hash', 'context_ref']) {
    const flow = await to.open(agent)
    const { [member]: _, ...lacking } = refund(flow) as Record<string, unknown>
    const { body } = await sent(to, flow, await signedProposal(key, lacking))
    assert.deepEqual([body.outcome, body.reason_code], ['REJECTED', 'SCHEMA_INVALID'], member)
    const problems: readonly { member: string; detail: string }[] = body.feedback.details.problems
    assert.deepEqual(
      problems.map((problem) => problem.member),
      [member],
    )
    assert.equal((await recorded(to.runtime, flow))[0].filled, undefined)
  }
  const whole = await to.open(agent)
  const { body } = await sent(to, whole, await signedProposal(key, refund(whole)))
  assert.equal(body.outcome, 'ACCEPTED')
  assert.equal(await statusOf(to.runtime), 'ACTIVE')
  await assertVerifies(to.runtime)
})
