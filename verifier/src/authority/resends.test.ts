/** A resend answers to everything that a dispatch of its moment would. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ApprovalFact,
  computeAddress,
  type IntentBody,
  type JsonObject,
  type JsonValue,
  listRecheckedStages,
  type WritBody,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { OTHER, PAST } from '../samples/sample-approvals.test-support.ts'
import { settle } from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  capability,
  commit,
  DFID,
  decide,
  grant,
  move,
  revoke,
  rulesBody,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { type ResendChange, sendAgain } from '../samples/sample-resends.test-support.ts'

type Stage = {
  readonly builder: LedgerBuilder
  readonly writId: `sha256:${string}`
  readonly intent: JsonObject
  again(change?: ResendChange): void
}

type SentChange = {
  readonly writ?: Partial<WritBody>
  readonly proposal?: JsonObject
  /** Of its capability. */
  readonly idempotency?: JsonValue
}

/** Something was sent, at leaf 11; nobody knows what became of it, and it is sent again at leaf 13, 15 and so on. */
function sent(change: Partial<IntentBody> = {}, more: SentChange = {}): Stage {
  const builder = new LedgerBuilder()
  const { idempotency } = more
  const described = idempotency === undefined ? capability : { ...capability, idempotency }
  const capability_hash = computeAddress('capability', described, nodeCrypto.sha256)
  const capabilities = [{ capability: described, capability_hash }]
  bootstrap(builder, rulesBody({ capabilities }))
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const writId = grant(builder, writBody(builder, more.writ))
  const { proposal = {} } = more
  const { intent, record } = decide(builder, writId, { capability_hash, ...change }, { proposal })
  const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
  const entry = builder.append('main', 'dispatch', { ...record, send: 1 }, place)
  const again = (how: ResendChange = {}): void => {
    settle(builder, intent, 'UNKNOWN')
    sendAgain(builder, intent, entry.envelope.seq, how)
  }
  return { builder, writId, intent, again }
}

async function found({ builder }: Pick<Stage, 'builder'>): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

test('sends are counted one by one, each after its first dispatch', async () => {
  const it = sent()
  it.again()
  it.again({ send: 3 })
  assert.deepEqual(await found(it), [])
  it.again({ send: 5 })
  it.again({ send: 6, body: { first: { trajectory: 'main', seq: 1 } } })
  assert.deepEqual(await found(it), ['17 AUTHORITY_ORDER', '19 AUTHORITY_ORDER'])
})

test('it is sent again for the reason that there is', async () => {
  for (const [status, why] of [
    ['UNKNOWN', 'not_applied'],
    ['NOT_APPLIED', 'same_key'],
  ] as const) {
    const { builder, intent, writId: _ } = sent()
    settle(builder, intent, status)
    sendAgain(builder, intent, 2, { body: { why } })
    assert.deepEqual(await found({ builder }), ['13 AUTHORITY_ORDER'], why)
  }
})

test('what was never sent, or is over, is not sent again', async () => {
  const it = sent()
  sendAgain(it.builder, { intent_id: `sha256:${'1'.repeat(64)}` }, 2)
  commit(it.builder, it.intent)
  sendAgain(it.builder, it.intent, 2)
  assert.deepEqual(await found(it), ['12 AUTHORITY_ORDER', '14 AUTHORITY_ORDER'])
})

test('it answers to the authority of its own moment', async () => {
  const revoked = sent()
  revoke(revoked.builder, 'writ', revoked.writId)
  revoked.again()
  assert.deepEqual(new Set(await found(revoked)), new Set(['14 AUTHORITY_ORDER']))
  const stopped = sent()
  move(stopped.builder, 'ACTIVE', 'SUSPENDED', 'operator')
  stopped.again()
  assert.deepEqual(await found(stopped), ['14 AUTHORITY_ORDER'])
  const early = sent()
  move(early.builder, 'ACTIVE', 'SUSPENDED', 'operator')
  early.again({ authority_seq: early.builder.authoritySeq() - 1 })
  assert.deepEqual(new Set(await found(early)), new Set(['14 AUTHORITY_ORDER']))
})

test('it answers to the rules of its own moment', async () => {
  const it = sent()
  const rules = { compiler_version: '1.0.0', policies: [], version: 'other' }
  const rules_hash = computeAddress('rules', rules, nodeCrypto.sha256)
  it.builder.decree('policy', rulesBody({ rules, rules_hash }))
  assert.deepEqual(await found(it), [])
  it.again()
  assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER'])
})

test('it leaves before its own end, which is exclusive', async () => {
  const late = sent()
  const next = '2026-02-01T09:00:14.000Z'
  late.again({ body: { send_before: next } })
  assert.equal(late.builder.entries.at(-1)?.envelope.at, next)
  assert.deepEqual(await found(late), ['13 AUTHORITY_ORDER'])
  const inTime = sent()
  inTime.again({ body: { send_before: '2026-02-01T09:00:14.001Z' } })
  assert.deepEqual(await found(inTime), [])
})

/** Judged at 09:00:13 and sent a second later (leaf 13), with the end that is given. */
async function endingAt(
  send_before: string,
  facts: JsonObject = {},
  stage = sent(),
): Promise<string[]> {
  stage.again({ body: { send_before }, facts })
  return found(stage)
}

test('its end is no later than that of a dispatch at the moment when it was judged', async () => {
  assert.deepEqual(await endingAt('2026-02-01T09:00:43.000Z'), [])
  assert.deepEqual(await endingAt('2026-02-01T09:00:43.001Z'), ['13 AUTHORITY_ORDER'])
  const word = { state: [{ until: '2026-02-01T09:00:20.000Z' }] }
  assert.deepEqual(await endingAt('2026-02-01T09:00:20.000Z', word), [])
  assert.deepEqual(await endingAt('2026-02-01T09:00:20.001Z', word), ['13 AUTHORITY_ORDER'])
  const writ = { window: { ...WINDOW, expires_at: '2026-02-01T09:00:30.000Z' } }
  const ending = (): Stage => sent({ dispatch_before: '2026-02-01T09:00:30.000Z' }, { writ })
  assert.deepEqual(await endingAt('2026-02-01T09:00:30.000Z', {}, ending()), [])
  assert.deepEqual(await endingAt('2026-02-01T09:00:30.001Z', {}, ending()), ['13 AUTHORITY_ORDER'])
  const proposal = { valid_until: '2026-02-01T09:00:40.000Z' }
  const asked = (): Stage => sent({ dispatch_before: '2026-02-01T09:00:40.000Z' }, { proposal })
  assert.deepEqual(await endingAt('2026-02-01T09:00:40.000Z', {}, asked()), [])
  assert.deepEqual(await endingAt('2026-02-01T09:00:40.001Z', {}, asked()), ['13 AUTHORITY_ORDER'])
})

test('it leaves before its approval ends, which is exclusive, and that is said', async () => {
  const told = async (valid_until: string): Promise<readonly string[]> => {
    const approval: ApprovalFact = {
      request_id: 'r',
      decision: 'OVERRIDE',
      approver: 'ann@example.com',
      decisions: 1,
      binds: OTHER,
      rules_hash: OTHER,
      lifts: [],
      impact: 'LOW_IMPACT',
      past: PAST,
      valid_until,
      decided_at: '2026-02-01T09:00:00.000Z',
    }
    const it = sent({ approval, dispatch_before: valid_until })
    it.again({ body: { send_before: valid_until } })
    const last = it.builder.entries.length - 1
    const { findings } = await verifyTwice(it.builder.text())
    return findings.filter(({ leaf }) => leaf === last).map(({ detail }) => detail)
  }
  assert.deepEqual(await told('2026-02-01T09:00:14.001Z'), [])
  assert.deepEqual(await told('2026-02-01T09:00:14.000Z'), [
    'it was sent after its deadline',
    'its approval had expired',
  ])
})

const WINDOW = { not_before: '2026-02-01T00:00:00.000Z', expires_at: '2026-02-02T00:00:00.000Z' }

test('its end lies where its provider surely knows the key, which nobody can say otherwise', async () => {
  const keyed = (idempotency: JsonValue): Stage => sent({}, { idempotency })
  const lasts = { carrier: 'header', window_s: 90 }
  assert.deepEqual(await endingAt('2026-02-01T09:00:41.000Z', {}, keyed(lasts)), [])
  const late = await endingAt('2026-02-01T09:00:41.001Z', {}, keyed(lasts))
  assert.deepEqual(late, ['13 AUTHORITY_ORDER'])
  for (const given of [null, 'for ever', { window_s: '90' }, { window_s: 90.5 }, {}]) {
    const unread = await endingAt('2026-02-01T09:00:15.000Z', {}, keyed(given))
    assert.deepEqual(unread, ['13 AUTHORITY_ORDER'], JSON.stringify(given))
  }
})

test('what it was judged on was there before it', async () => {
  for (const [now, isThere] of [
    ['2026-02-01T09:00:14.000Z', true],
    ['2026-02-01T09:00:14.001Z', false],
    ['some day', false],
  ] as const) {
    const seen = await endingAt('2026-02-01T09:00:15.000Z', { now })
    assert.deepEqual([...new Set(seen)], isThere ? [] : ['13 AUTHORITY_ORDER'], now)
  }
})

test('it was judged again: every stage, and none refused', async () => {
  const { builder, again } = sent()
  again({ stages: listRecheckedStages(false).slice(1) })
  again({ send: 3, stages: listRecheckedStages(true) })
  again({ send: 4, said: 'reject' })
  again({ send: 5, said: 'suspend' })
  assert.deepEqual(await found({ builder }), [
    '13 AUTHORITY_ORDER',
    '15 AUTHORITY_ORDER',
    '17 AUTHORITY_ORDER',
  ])
})

test('nothing is sent again while its agent is in maintenance, but for what puts that right', async () => {
  const it = sent()
  it.again({ maintenance: true })
  assert.deepEqual(await found(it), ['13 AUTHORITY_ORDER'])
})

test('somebody else who spoke meanwhile is another agent’s word', async () => {
  const it = sent()
  const key = { key_id: 'agent-1', purpose: 'agent', subject: 'x' } as const
  it.again({ auth: { kind: 'session', agent_id: 'x', key } })
  assert.deepEqual(new Set(await found(it)), new Set(['13 AUTHORITY_ORDER']))
})

test('ENTRY_SIGNATURE: the kernel signs it, with what it looked at', async () => {
  const { builder, again } = sent()
  again({ signer: builder.operator })
  again({ send: 3, body: { facts_hash: `sha256:${'1'.repeat(64)}` } })
  again({ send: 4, body: { policy_trace_hash: `sha256:${'1'.repeat(64)}` } })
  assert.deepEqual(await found({ builder }), [
    '13 ENTRY_SIGNATURE',
    '15 ENTRY_SIGNATURE',
    '17 ENTRY_SIGNATURE',
  ])
  builder.endKey(builder.kernel)
  again({ send: 5 })
  assert.ok((await found({ builder })).includes('20 ENTRY_SIGNATURE'), 'a retired key')
})

test('ENTRY_UNREADABLE: a dispatch that names its first, and a resend without what was judged', async () => {
  const { builder, intent } = sent()
  const first = { trajectory: 'main', seq: 2 }
  const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
  const { intent_id = null } = intent
  const old = { salt: '', intent_id, first, send: 2, why: 'same_key' }
  builder.append('main', 'dispatch', old, place)
  builder.append('main', 'resend', old, place)
  assert.deepEqual(await found({ builder }), ['12 ENTRY_UNREADABLE', '13 ENTRY_UNREADABLE'])
})
