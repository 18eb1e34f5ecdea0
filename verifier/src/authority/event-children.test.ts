/** Ledgers of an event whose flows delegate: what both verifiers say of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  computeAddress,
  computeEventId,
  type EventBody,
  type Facts,
  type JsonObject,
  type JsonValue,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { verifyTwice } from '../samples/agreement.test-support.ts'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  AGENT,
  bootstrap,
  DFID,
  decide,
  grant,
  rulesBody,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto
const SOME = computeAddress('value', 1, sha256)
const [CHILD, BELOW, PLAIN, LATER] = ['c', 'd', 'e', 'f'].map((end) => DFID.replace(/.$/, end)) as [
  string,
  string,
  string,
  string,
]

function toEvent(dfid: string): JsonObject & { readonly event_id: Address } {
  const body: EventBody = {
    topic: 'market.eth',
    observations: [
      { path: 'market.eth', version: 1, source: 'feed', label: 'trusted', value_hash: SOME },
    ],
    state_snapshot_id: SOME,
    woken: [{ agent: AGENT, dfid }],
    not_woken: [],
    admission: { candidates: 1 },
  }
  const named = { ...body, salt: 'c2FsdA==', event_id: computeEventId(body, sha256) }
  return named as unknown as JsonObject & { readonly event_id: Address }
}

const EVENT = toEvent(DFID)
const OTHER = toEvent(LATER)

type Stage = {
  /** Below `parent`, with what its opening says of an event. */
  open(dfid: string, parent: string | null, event_id: string | null): void
  act(dfid: string): void
  erase(dfid: string): void
  /** PREEMPTED, after it had waited. */
  lose(dfid: string, winner: string): void
  /** What is found, in words. */
  judge(): Promise<readonly string[]>
}

/** Two events have woken the agent; the flow of the first is open. */
function createStage(topologies: JsonValue = []): Stage {
  const builder = new LedgerBuilder()
  const topics = [{ topic: 'market.eth', arbitration: {} }]
  const rules = { ...(rulesBody().rules as JsonObject), topics, topologies }
  const rules_hash = computeAddress('rules', rules, sha256)
  bootstrap(builder, rulesBody({ rules, rules_hash }))
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  for (const event of [EVENT, OTHER]) builder.append('main', 'event', event)
  const writs = new Map<string, Address>()
  const open: Stage['open'] = (dfid, parent, event_id) => {
    const above = parent === null ? undefined : writs.get(parent)
    const depth = parent === null ? 4 : parent === DFID ? 3 : 2
    const delegation = { max_depth: depth, may_delegate: true }
    const below = above === undefined ? {} : { parent: above }
    const budget = { calls: String(depth) }
    const body = writBody(builder, {
      nonce: dfid,
      scopes: [{ kind: 'BUY' }],
      subject_key: builder.issuer.id,
      delegation,
      budget,
      ...below,
    })
    const named = event_id === null ? {} : { event_id }
    const placed = parent === null ? {} : { parent_dfid: parent }
    writs.set(dfid, grant(builder, body, { dfid, ...named, ...placed }))
  }
  open(DFID, null, EVENT.event_id)
  return {
    open,
    act(dfid) {
      const auth: Facts['auth'] = { kind: 'session', agent_id: AGENT, key: null }
      const writId = writs.get(dfid) ?? assert.fail('it is open')
      const { record } = decide(builder, writId, { dfid, rules_hash }, { auth })
      const place = { dfid, authority_seq: builder.authoritySeq() }
      builder.append('main', 'dispatch', { ...record, send: 1 }, place)
    },
    lose(dfid, winner) {
      const refused = { attempt: 1, received: 'ab', trace: [], stage: 'queue', gate: null }
      const bid_at = '2026-02-01T00:00:00.000Z'
      const details = { event_id: EVENT.event_id, winner, winner_kind: 'BUY', bid_at }
      const proposal = { policy_kind: 'BUY' }
      const payload = { salt: 'c2FsdA==', ...refused, reason_code: 'PREEMPTED', details, proposal }
      builder.append('main', 'rejection', payload, { dfid })
    },
    erase(dfid) {
      eraseFlow(builder, dfid)
    },
    async judge() {
      return (await verifyTwice(builder.text())).findings.map(({ detail }) => detail)
    },
  }
}

const ELSEWHERE = 'it does not belong to the event of its parent flow'

test('a child of a flow of an event names that event, and so does its child', async () => {
  const stage = createStage([{ topology: 'EOAM', agents: [AGENT] }])
  stage.open(CHILD, DFID, EVENT.event_id)
  stage.open(BELOW, CHILD, EVENT.event_id)
  stage.act(BELOW)
  assert.deepEqual(await stage.judge(), [])
})

test('a child that hides the event of its parent, or names another, is found', async () => {
  for (const named of [null, OTHER.event_id]) {
    const stage = createStage()
    stage.open(CHILD, DFID, named)
    assert.deepEqual(await stage.judge(), [ELSEWHERE])
  }
  const below = createStage()
  below.open(CHILD, DFID, EVENT.event_id)
  below.open(BELOW, CHILD, null)
  assert.deepEqual(await below.judge(), [ELSEWHERE])
})

test('a child of a flow that nothing woke is found where it names an event, or acts as if it were woken', async () => {
  const stage = createStage()
  stage.open(PLAIN, null, null)
  stage.open(CHILD, PLAIN, EVENT.event_id)
  assert.deepEqual(await stage.judge(), [ELSEWHERE])
  const asked = createStage([{ topology: 'EOAM', agents: [AGENT] }])
  asked.open(PLAIN, null, null)
  asked.open(CHILD, PLAIN, null)
  asked.act(CHILD)
  assert.deepEqual(await asked.judge(), ['its class asks for an event'])
})

test('what an event woke is not opened below another flow', async () => {
  const stage = createStage()
  stage.open(LATER, DFID, OTHER.event_id)
  assert.deepEqual(await stage.judge(), ['an event woke it, and it has a parent flow'])
})

test('a dispatch of a child beside that of its parent is found, whatever the child says of its event', async () => {
  for (const named of [EVENT.event_id, null]) {
    const stage = createStage()
    stage.open(CHILD, DFID, named)
    stage.act(DFID)
    stage.act(CHILD)
    const found = named === null ? [ELSEWHERE] : []
    assert.deepEqual(await stage.judge(), [...found, 'another of its event was dispatched before'])
  }
})

test('a child belongs to its event also where what was said of its parent was erased', async () => {
  const stage = createStage()
  stage.open(CHILD, DFID, EVENT.event_id)
  stage.open(BELOW, CHILD, EVENT.event_id)
  stage.act(BELOW)
  stage.erase(DFID)
  stage.erase(CHILD)
  assert.deepEqual(await stage.judge(), [])
  const foreign = createStage()
  foreign.open(CHILD, DFID, OTHER.event_id)
  foreign.erase(DFID)
  assert.deepEqual(await foreign.judge(), [ELSEWHERE])
  const twice = createStage()
  twice.open(CHILD, DFID, EVENT.event_id)
  twice.open(BELOW, CHILD, EVENT.event_id)
  twice.act(DFID)
  twice.act(BELOW)
  twice.erase(CHILD)
  assert.deepEqual(await twice.judge(), ['another of its event was dispatched before'])
})

test('of two flows of one agent the one that made its bid first may lose: nobody knows when the other did', async () => {
  const stage = createStage()
  stage.open(CHILD, DFID, EVENT.event_id)
  stage.open(BELOW, CHILD, EVENT.event_id)
  stage.act(BELOW)
  stage.lose(CHILD, BELOW)
  assert.deepEqual(await stage.judge(), [])
  stage.lose(CHILD, DFID)
  assert.deepEqual(await stage.judge(), ['nothing that it lost to was put down before'])
})
