/** Ledgers with events and the flows that they woke: what both verifiers say of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  computeAddress,
  computeEventId,
  type EventBody,
  type Facts,
  type JsonObject,
  type JsonValue,
  type TopologyRow,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
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
const OTHER = DFID.replace(/.$/, '1')

const BODY: EventBody = {
  topic: 'market.eth',
  observations: [
    { path: 'market.eth', version: 1, source: 'feed', label: 'trusted', value_hash: SOME },
  ],
  state_snapshot_id: SOME,
  woken: [{ agent: AGENT, dfid: DFID }],
  not_woken: [{ agent: 'late_bot', code: 'WAKE_NOT_ADMITTED' }],
  admission: { candidates: 2 },
}

type Case = {
  readonly events?: readonly JsonObject[]
  /** What the opening says of the event. */
  readonly named?: string | null
  readonly rows?: readonly TopologyRow[]
}

function address(body: EventBody): JsonObject {
  return {
    ...body,
    salt: 'c2FsdA==',
    event_id: computeEventId(body, sha256),
  } as unknown as JsonObject
}

/** A ledger in which an agent is woken and acts, and of which everything but the event is in order. */
async function judge({
  events = [address(BODY)],
  named = computeEventId(BODY, sha256),
  rows = [{ topology: 'EOAM', agents: [AGENT] }],
}: Case = {}): Promise<readonly string[]> {
  const builder = new LedgerBuilder()
  const rules = { ...(rulesBody().rules as JsonObject), topologies: rows as unknown as JsonValue }
  const rules_hash = computeAddress('rules', rules, sha256)
  bootstrap(builder, rulesBody({ rules, rules_hash }))
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const first = builder.entries.length
  for (const event of events) builder.append('main', 'event', event)
  const writId = grant(builder, writBody(builder), named === null ? {} : { event_id: named })
  const auth: Facts['auth'] = { kind: 'session', agent_id: AGENT, key: null }
  const { record } = decide(builder, writId, { rules_hash }, { auth })
  const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
  builder.append('main', 'dispatch', { ...record, send: 1 }, place)
  const names = ['event', 'opening', 'dispatch']
  const found = places(await verifyTwice(builder.text()))
  return found.map((one) => {
    const [leaf = '', code = ''] = one.split(' ')
    const at = Number(leaf) - first - events.length
    return `${at < 0 ? 'event' : (names[at + 1] ?? leaf)} ${code}`
  })
}

test('a flow that an event announced, for its agent, is in order, and so is what its class asks for', async () => {
  assert.deepEqual(await judge(), [])
  assert.deepEqual(await judge({ rows: [{ topology: 'EOAM', topics: ['market.*'] }] }), [])
})

test('a flow that names an event which did not announce it is found', async () => {
  const late = { ...BODY, woken: [{ agent: AGENT, dfid: OTHER }] }
  const named = computeEventId(late, sha256)
  const rows: readonly TopologyRow[] = []
  assert.deepEqual(await judge({ events: [], rows }), ['opening AUTHORITY_ORDER'])
  assert.deepEqual(await judge({ events: [address(late)], named, rows }), [
    'opening AUTHORITY_ORDER',
  ])
  const others = { ...BODY, woken: [{ agent: 'other_bot', dfid: DFID }] }
  const found = await judge({ events: [address(others)], named: computeEventId(others, sha256) })
  assert.deepEqual(found, ['opening AUTHORITY_ORDER'])
  assert.deepEqual(
    await judge({ named: null }),
    ['opening AUTHORITY_ORDER'],
    'nor one that hides it',
  )
})

test('what is done without an event is found where the class asks for one', async () => {
  const plain = { events: [], named: null }
  assert.deepEqual(await judge(plain), ['dispatch AUTHORITY_ORDER'])
  assert.deepEqual(await judge({ ...plain, rows: [{ topology: 'EOAM', policy_kinds: ['BUY'] }] }), [
    'dispatch AUTHORITY_ORDER',
  ])
  assert.deepEqual(
    await judge({ ...plain, rows: [{ topology: 'EOAM', topics: ['market.*'] }] }),
    [],
  )
})

test('a topic of the rules asks for a proof in every flow that such an event woke', async () => {
  const rows: readonly TopologyRow[] = [{ topology: 'DL_PCI', topics: ['market.*'] }]
  assert.deepEqual(await judge({ rows }), ['dispatch AUTHORITY_ORDER'])
  assert.deepEqual(await judge({ rows: [{ topology: 'DL_PCI', topics: ['weather'] }] }), [])
})

test('an event whose name is not its content, or which announces what is there, is found', async () => {
  const changed = { ...address(BODY), state_snapshot_id: computeAddress('value', 2, sha256) }
  assert.deepEqual(await judge({ events: [changed] }), ['event ENTRY_SIGNATURE'])
  assert.deepEqual(await judge({ events: [address(BODY), address(BODY)] }), [
    'event AUTHORITY_ORDER',
  ])
  const twice = { ...BODY, woken: [...BODY.woken, { agent: AGENT, dfid: OTHER }] }
  assert.deepEqual(
    await judge({
      events: [address({ ...twice, admission: { candidates: 3 } })],
      named: computeEventId({ ...twice, admission: { candidates: 3 } }, sha256),
    }),
    ['event AUTHORITY_ORDER'],
  )
  const miscounted = { ...BODY, admission: { candidates: 1 } }
  assert.deepEqual(
    await judge({ events: [address(miscounted)], named: computeEventId(miscounted, sha256) }),
    ['event AUTHORITY_ORDER'],
  )
  const { admission: _, ...unread } = address(BODY)
  assert.ok((await judge({ events: [unread] })).includes('event ENTRY_UNREADABLE'))
})

test('an event under a topic that the rules do not give its observations, or with an agent on both lists, is not in order', async () => {
  const elsewhere = { ...BODY, topic: 'market.*' }
  const both = { ...BODY, not_woken: [{ agent: AGENT, code: 'WAKE_NOT_ADMITTED' }] }
  for (const body of [elsewhere, both])
    assert.deepEqual(
      await judge({ events: [address(body)], named: computeEventId(body, sha256) }),
      ['event AUTHORITY_ORDER'],
    )
})
