/** What is said of an intent that is told twice, too late or elsewhere: each rule in its words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address, JsonObject } from 'rubicon-kernel'
import type { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { abandon, accept, carryOut, settle } from '../samples/sample-executors.test-support.ts'
import {
  AGENT,
  commit,
  contract,
  contractHash,
  DEPLOY,
  DFID,
  type Dispatched,
  dispatch,
  grant,
  move,
  revoke,
  sampleFacts,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { sendAgain } from '../samples/sample-resends.test-support.ts'
import { NOTHING, type Stage, stage, told } from '../samples/sample-undoing.test-support.ts'

const OTHER: Address = `sha256:${'7'.repeat(64)}`
const CHILD = '019c1200-0000-7000-8000-0000000000ca'
const STEP = { step_id: 'step-2' }

/** What is said of the last entry. */
async function toldOfLast({ builder }: Pick<Stage, 'builder'>): Promise<string[]> {
  const begin = `${builder.entries.length - 1}: `
  const all = await told({ builder })
  return all.filter((one) => one.startsWith(begin)).map((one) => one.slice(begin.length))
}

type Waiting = Stage & { readonly waiting: Dispatched }

/** An intent is accepted, and not sent so far. */
function accepted(): Waiting {
  const it = stage()
  return { ...it, waiting: accept(it.builder, it.writId, STEP) }
}

/** The same entry once more. */
function repeat({ builder }: Pick<Stage, 'builder'>, { entry }: Dispatched): void {
  const { kind, dfid = DFID } = entry.envelope
  const cited = kind === 'dispatch' ? { authority_seq: builder.authoritySeq() } : {}
  builder.append('main', kind, JSON.parse(entry.payload ?? ''), { dfid, ...cited })
}

function openChild(builder: LedgerBuilder): void {
  grant(builder, writBody(builder, { nonce: CHILD }), { dfid: CHILD })
}

test('what was accepted or dispatched is neither again', async () => {
  const waits = accepted()
  repeat(waits, waits.waiting)
  assert.ok((await toldOfLast(waits)).includes('the intent was accepted before'))
  const sent = stage()
  repeat(sent, sent.done)
  assert.ok((await toldOfLast(sent)).includes('the intent was dispatched before'))
  const carried = accepted()
  carryOut(carried.builder, carried.waiting)
  assert.deepEqual(await toldOfLast(carried), [])
  repeat(carried, carried.waiting)
  assert.ok((await toldOfLast(carried)).includes('the intent was dispatched before'))
})

test('what is carried out was accepted there, once, and not given back', async () => {
  const twice = accepted()
  for (let time = 0; time < 2; time += 1) carryOut(twice.builder, twice.waiting)
  assert.ok((await toldOfLast(twice)).includes('the intent was dispatched before'))
  const given = accepted()
  abandon(given.builder, given.waiting)
  assert.deepEqual(await toldOfLast(given), [])
  carryOut(given.builder, given.waiting)
  assert.ok((await toldOfLast(given)).includes('the intent was abandoned before'))
  for (const change of [{ seq: 3 }, { trajectory: 'aside' }]) {
    const moved = accepted()
    const { trajectory, seq } = moved.waiting.entry.envelope
    carryOut(moved.builder, moved.waiting, { accepted: { trajectory, seq, ...change } })
    const said = await toldOfLast(moved)
    assert.deepEqual(said, ['its intent was accepted at another place than it states'])
  }
})

test('what was never accepted is not carried out, also where its facts are newer than it may know', async () => {
  const unknown = accepted()
  carryOut(unknown.builder, unknown.waiting, { intent_id: OTHER })
  assert.ok((await toldOfLast(unknown)).includes('its intent was not accepted before it'))
  const newer = accepted()
  const facts = { ...sampleFacts(newer.builder, OTHER), authority_seq: 99 } as unknown as JsonObject
  carryOut(newer.builder, newer.waiting, { intent_id: OTHER, facts })
  const said = await toldOfLast(newer)
  assert.ok(said.includes('its intent was not accepted before it'))
  assert.ok(said.includes('its facts are newer than the authority it cites'))
})

test('what waits is given back once, by its own flow; what is settled otherwise was sent', async () => {
  const twice = accepted()
  for (let time = 0; time < 2; time += 1) abandon(twice.builder, twice.waiting)
  assert.ok((await toldOfLast(twice)).includes('the intent was abandoned before'))
  const other = accepted()
  openChild(other.builder)
  settle(other.builder, other.waiting.intent, 'ABANDONED', CHILD)
  assert.ok((await toldOfLast(other)).includes('its intent was accepted by another flow'))
  settle(other.builder, other.waiting.intent, 'ABANDONED', CHILD)
  const said = await toldOfLast(other)
  assert.ok(said.includes('its intent was accepted by another flow'))
  assert.ok(said.includes('the intent was abandoned before'))
  const unsent = 'there is no dispatch of its intent before it'
  for (const status of ['FAILED', 'UNKNOWN', 'MANUAL_REVIEW']) {
    const it = accepted()
    settle(it.builder, it.waiting.intent, status)
    assert.ok((await toldOfLast(it)).includes(unsent), status)
  }
  const unknown = stage()
  settle(unknown.builder, { intent_id: OTHER }, 'ABANDONED')
  assert.ok((await toldOfLast(unknown)).includes(unsent))
  const sent = stage()
  const { intent } = dispatch(sent.builder, sent.writId, STEP)
  settle(sent.builder, intent, 'UNKNOWN')
  assert.deepEqual(await toldOfLast(sent), [])
})

test('an outcome stands in the flow that sent its intent', async () => {
  const it = stage()
  openChild(it.builder)
  const { intent } = dispatch(it.builder, it.writId, STEP)
  settle(it.builder, intent, 'UNKNOWN', CHILD)
  assert.deepEqual(await toldOfLast(it), ['its intent was dispatched by another flow'])
})

test('a commit names the hashes of its intent, each of them, and stands once', async () => {
  const unfit = 'the hashes of the commit are not those of the intent'
  const names = ['proposal_hash', 'writ_id', 'policy_trace_hash', 'rules_hash', 'facts_hash']
  const changes: readonly JsonObject[] = [
    ...names.map((name) => ({ [name]: OTHER })),
    { compiler_version: '2.0.0' },
  ]
  for (const change of changes) {
    const it = stage()
    const { intent } = dispatch(it.builder, it.writId, STEP)
    commit(it.builder, { ...intent, ...change }, [], NOTHING)
    assert.ok((await toldOfLast(it)).includes(unfit), JSON.stringify(change))
  }
  const twice = stage()
  commit(twice.builder, twice.done.intent, [], NOTHING)
  assert.ok((await toldOfLast(twice)).includes('the intent was committed before'))
  const elsewhere = stage()
  openChild(elsewhere.builder)
  commit(elsewhere.builder, { ...elsewhere.done.intent, dfid: CHILD }, [], NOTHING)
  const said = await toldOfLast(elsewhere)
  assert.ok(said.includes('the intent was committed before'))
  assert.ok(said.includes('its intent was dispatched by another flow'))
})

test('what is sent stands on a flow, a contract and a writ that are in force there', async () => {
  const contracts = stage()
  revoke(contracts.builder, 'contract', AGENT)
  dispatch(contracts.builder, contracts.writId, STEP)
  assert.deepEqual(await toldOfLast(contracts), ['its contract is revoked'])
  const writs = stage()
  revoke(writs.builder, 'writ', writs.writId)
  dispatch(writs.builder, writs.writId, STEP)
  assert.deepEqual(await toldOfLast(writs), [
    'the writ of its flow is revoked',
    `writ \`${writs.writId}\` is revoked`,
  ])
  const stopped = stage()
  move(stopped.builder, 'ACTIVE', 'SUSPENDED', 'operator')
  dispatch(stopped.builder, stopped.writId, STEP)
  const said = await toldOfLast(stopped)
  assert.ok(said.includes(`agent \`${AGENT}\` is SUSPENDED`))
  const never = stage()
  dispatch(never.builder, never.writId, { ...STEP, dfid: CHILD })
  assert.ok((await toldOfLast(never)).includes('its flow was never opened'))
  const unwritten = stage()
  dispatch(unwritten.builder, OTHER, STEP)
  assert.ok((await toldOfLast(unwritten)).includes(`writ \`${OTHER}\` is not in the ledger`))
  const another = stage()
  dispatch(another.builder, another.writId, { ...STEP, contract_hash: OTHER })
  assert.deepEqual((await toldOfLast(another)).slice(0, 2), [
    'its flow was opened for another agent, or under another contract',
    'its contract was not deployed for the agent',
  ])
})

test('a writ speaks for the agent that it was issued to, and for nobody who was never active', async () => {
  const it = stage()
  const { builder } = it
  const issued = writBody(builder, { subject: 'stranger', nonce: CHILD })
  const writId = grant(builder, issued, { dfid: CHILD })
  dispatch(builder, writId, { ...STEP, dfid: CHILD })
  assert.ok((await toldOfLast(it)).includes('the writ was issued to another agent'))
  dispatch(builder, writId, { step_id: 'step-3', dfid: CHILD, agent_id: 'stranger' })
  const said = await toldOfLast(it)
  assert.ok(said.includes('agent `stranger` is unknown'))
  assert.ok(said.includes('its flow was opened for another agent, or under another contract'))
})

test('what is sent again follows what was sent, from the place where that was, before its deadline', async () => {
  const again = async (
    change: Parameters<typeof sendAgain>[3],
    seq?: number,
  ): Promise<string[]> => {
    const it = stage()
    const { intent, entry } = dispatch(it.builder, it.writId, STEP)
    settle(it.builder, intent, 'UNKNOWN')
    sendAgain(it.builder, intent, seq ?? entry.envelope.seq, change)
    return toldOfLast(it)
  }
  assert.deepEqual(await again({}), [])
  assert.deepEqual(await again({}, 3), ['the first dispatch is at another place than it states'])
  const first = { trajectory: 'aside', seq: 5 }
  assert.deepEqual(await again({ body: { first } }), [
    'the first dispatch is at another place than it states',
  ])
  assert.deepEqual(await again({ send: 3 }), ['send 3 follows send 1'])
  assert.deepEqual(await again({ said: 'reject' }), [
    'it was not judged again, or was refused when it was',
  ])
  assert.deepEqual(await again({ stages: [] }), [
    'it was not judged again, or was refused when it was',
  ])
  assert.ok((await again({ maintenance: true })).includes('its agent was in maintenance'))
  const late = await again({ body: { send_before: '2026-02-01T09:00:00.000Z' } })
  assert.ok(late.includes('it was sent after its deadline'))
  const committed = stage()
  sendAgain(committed.builder, committed.done.intent, 2)
  assert.ok((await toldOfLast(committed)).includes('it was committed before'))
  const unknown = stage()
  sendAgain(unknown.builder, { intent_id: OTHER }, 2)
  assert.ok((await toldOfLast(unknown)).includes('there is no dispatch of its intent before it'))
})

test('a flow is opened once, for an agent that is active, under what is in force', async () => {
  const opening = async (change: JsonObject, body = {}): Promise<string[]> => {
    const it = stage()
    grant(it.builder, writBody(it.builder, { nonce: CHILD, ...body }), { dfid: CHILD, ...change })
    return toldOfLast(it)
  }
  assert.deepEqual(await opening({}), [])
  assert.deepEqual(await opening({ contract: { hash: OTHER, seq: 6 } }), [
    'it is opened under a version that is not in force',
  ])
  const stopped = stage()
  move(stopped.builder, 'ACTIVE', 'SUSPENDED', 'operator')
  const flow = { dfid: CHILD, contract: { hash: OTHER, seq: 6 } }
  grant(stopped.builder, writBody(stopped.builder, { nonce: CHILD }), flow)
  assert.deepEqual(await toldOfLast(stopped), [
    `agent \`${AGENT}\` is SUSPENDED`,
    'it is opened under a version that is not in force',
  ])
  const more = 'its writ grants more than its contract'
  assert.deepEqual(await opening({}, { budget: { tokens: '1001' } }), [more])
  assert.deepEqual(await opening({}, { budget: { tokens: '1000' } }), [])
  const day = { not_before: '2026-02-01T00:00:00.000Z' }
  const ends = (expires_at: string): Promise<string[]> =>
    opening({}, { window: { ...day, expires_at } })
  assert.deepEqual(await ends('2026-02-02T00:00:00.001Z'), [more])
  assert.deepEqual(await ends('2026-02-02T00:00:00.000Z'), [])
})

test('a contract that is deployed again is still the one that flows are opened under', async () => {
  const it = stage()
  it.builder.decree('contract', {
    ...DEPLOY,
    contract: { ...contract },
    contract_hash: contractHash,
  })
  openChild(it.builder)
  assert.deepEqual(await toldOfLast(it), [])
})
