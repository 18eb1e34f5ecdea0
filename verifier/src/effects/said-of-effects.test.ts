/** What is said of an effect that could not be made so, or of what became of it: each rule in its words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type Contract,
  computeAddress,
  type IntentBody,
  type JsonObject,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { accept, carryOut, learn, settle } from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  capability,
  commit,
  contract,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  reject,
  rulesBody,
  secondsAfter,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { sendAgain } from '../samples/sample-resends.test-support.ts'
import { saga } from '../samples/sample-saga.test-support.ts'
import {
  NOTHING,
  type Stage,
  stage,
  told,
  undoing,
} from '../samples/sample-undoing.test-support.ts'

const { sha256 } = nodeCrypto
const STEP = { step_id: 'step-2' }
const ENDED = 'its flow had ended'
const MAINTENANCE = 'its agent is in maintenance'

/** What is said of the last entry. */
async function toldOfLast({ builder }: Pick<Stage, 'builder'>): Promise<string[]> {
  const begin = `${builder.entries.length - 1}: `
  const all = await told({ builder })
  return all.filter((one) => one.startsWith(begin)).map((one) => one.slice(begin.length))
}

function close(builder: LedgerBuilder): void {
  const payload = { salt: 's', source: 'agent', finding: 'closed' }
  builder.append('main', 'evidence', payload, { dfid: DFID })
}

test('a step is done once, in time, and not before it was decided', async () => {
  const sent = async (change: Partial<IntentBody>): Promise<string[]> => {
    const it = stage()
    dispatch(it.builder, it.writId, { ...STEP, ...change })
    return toldOfLast(it)
  }
  assert.deepEqual(await sent({}), [])
  assert.ok(
    (await sent({ step_id: 'step-1' })).includes('step `step-1` of its flow was claimed before'),
  )
  const { builder } = stage()
  const now = builder.now()
  assert.deepEqual(await sent({ dispatch_before: secondsAfter(now, 31) }), [
    'its deadline is later than allowed',
  ])
  assert.deepEqual(await sent({ dispatch_before: now }), ['it was dispatched after its deadline'])
  const later = secondsAfter(now, 20)
  assert.ok((await sent({ staged_at: later })).includes('it was decided after it was written'))
})

test('what waits too long, or was judged after it was sent, is not carried out', async () => {
  const it = stage()
  const waiting = accept(it.builder, it.writId, { ...STEP, dispatch_before: it.builder.now() })
  carryOut(it.builder, waiting)
  assert.deepEqual(await toldOfLast(it), ['it was dispatched after its deadline'])
})

test('in a flow that has ended nothing is decided or carried out, but for taking back', async () => {
  const cancelled = stage()
  const waiting = accept(cancelled.builder, cancelled.writId, STEP)
  reject(cancelled.builder, { received: '', reason_code: 'FLOW_CANCELLED' })
  carryOut(cancelled.builder, waiting)
  assert.deepEqual(await toldOfLast(cancelled), [ENDED])
  dispatch(cancelled.builder, cancelled.writId, { step_id: 'step-3' })
  assert.ok((await toldOfLast(cancelled)).includes(ENDED))
  undoing(cancelled)
  assert.deepEqual(await toldOfLast(cancelled), [])
  const erased = stage()
  reject(erased.builder, { received: '', reason_code: 'FLOW_CANCELLED' })
  dispatch(erased.builder, erased.writId, STEP)
  eraseFlow(erased.builder, DFID)
  assert.deepEqual(await told(erased), [], 'of a flow that was erased nobody knows')
})

test('a flow is closed once, when all of its steps have an outcome', async () => {
  const open = stage()
  close(open.builder)
  const underWay = 'a step of its flow has no outcome'
  assert.ok((await toldOfLast(open)).includes(underWay), 'the choice has none')
  const done = stage()
  commit(done.builder, done.chosen.intent, [], NOTHING)
  close(done.builder)
  assert.deepEqual(await toldOfLast(done), [])
  close(done.builder)
  assert.deepEqual(await toldOfLast(done), [ENDED])
})

test('while a flow of its agent is half done nothing is decided, carried out or sent again', async () => {
  const decided = stage()
  saga(decided.builder, 'PARTIAL_SUCCESS_DIRTY')
  dispatch(decided.builder, decided.writId, STEP)
  assert.deepEqual(await toldOfLast(decided), [MAINTENANCE])
  const waits = stage()
  const waiting = accept(waits.builder, waits.writId, STEP)
  saga(waits.builder, 'PARTIAL_SUCCESS_DIRTY')
  carryOut(waits.builder, waiting)
  assert.deepEqual(await toldOfLast(waits), [MAINTENANCE])
  const again = stage()
  const { intent, entry } = dispatch(again.builder, again.writId, STEP)
  settle(again.builder, intent, 'UNKNOWN')
  saga(again.builder, 'PARTIAL_SUCCESS_DIRTY')
  sendAgain(again.builder, intent, entry.envelope.seq)
  assert.deepEqual(await toldOfLast(again), [MAINTENANCE])
  undoing(again)
  assert.deepEqual(await toldOfLast(again), [])
})

test('an outcome follows from the one before it, and from what was found out', async () => {
  const moved = async (
    statuses: readonly string[],
    say: (it: Stage, intent: JsonObject) => void = () => {},
  ): Promise<string[]> => {
    const it = stage()
    const { intent } = dispatch(it.builder, it.writId, STEP)
    for (const status of statuses.slice(0, -1)) settle(it.builder, intent, status)
    say(it, intent)
    settle(it.builder, intent, statuses.at(-1) ?? '')
    const all = await toldOfLast(it)
    return all.filter((one) => !one.includes('DIRTY'))
  }
  assert.deepEqual(await moved(['FAILED']), [])
  assert.deepEqual(await moved(['FAILED', 'UNKNOWN']), [
    'its outcome was final before it became UNKNOWN',
  ])
  assert.deepEqual(await moved(['UNKNOWN', 'FAILED']), [
    'no evidence found it absent before it became FAILED',
  ])
  const probed = (finding: string) => (it: Stage, intent: JsonObject) =>
    void learn(it.builder, intent, 'probe', finding)
  assert.deepEqual(await moved(['UNKNOWN', 'FAILED'], probed('absent')), [])
  assert.deepEqual(await moved(['UNKNOWN', 'NOT_APPLIED'], probed('absent')), [])
  assert.deepEqual(await moved(['UNKNOWN', 'NOT_APPLIED'], probed('applied')), [
    'no evidence found it absent before it became NOT_APPLIED',
  ])
  assert.deepEqual(await moved(['UNKNOWN', 'MANUAL_REVIEW']), [])
  assert.deepEqual(await moved(['MANUAL_REVIEW', 'FAILED'], probed('absent')), [
    'no person settled it',
  ])
  const person = (it: Stage, intent: JsonObject): void =>
    void learn(it.builder, intent, 'person', 'absent')
  assert.deepEqual(await moved(['MANUAL_REVIEW', 'FAILED'], person), [])
  assert.deepEqual(await moved(['FAILED', 'FAILED']), [
    'its outcome was final before it became FAILED',
  ])
})

test('what is sent again has the outcome that its reason names, and ends as early as it must', async () => {
  const again = async (
    status: string,
    change: Parameters<typeof sendAgain>[3],
    effect = 'keyed',
  ): Promise<string[]> => {
    const builder = new LedgerBuilder()
    const described = { ...capability, effect }
    const capability_hash = computeAddress('capability', described, sha256)
    bootstrap(builder, rulesBody({ capabilities: [{ capability: described, capability_hash }] }))
    builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
    const writId = grant(builder, writBody(builder))
    const { intent, entry } = dispatch(builder, writId, { capability_hash })
    settle(builder, intent, 'UNKNOWN')
    if (status === 'NOT_APPLIED') {
      learn(builder, intent, 'probe', 'absent')
      settle(builder, intent, status)
    }
    sendAgain(builder, intent, entry.envelope.seq, change)
    return toldOfLast({ builder })
  }
  assert.deepEqual(await again('UNKNOWN', {}), [])
  assert.deepEqual(await again('NOT_APPLIED', { body: { why: 'not_applied' } }), [])
  assert.ok(
    (await again('UNKNOWN', { body: { why: 'not_applied' } })).includes(
      'it is sent again (not_applied) while it is UNKNOWN',
    ),
  )
  assert.ok(
    (await again('NOT_APPLIED', {})).includes(
      'it is sent again (same_key) while it is NOT_APPLIED',
    ),
  )
  assert.ok((await again('UNKNOWN', {}, 'unsafe')).includes('it is sent again, and is unsafe'))
  assert.ok((await again('UNKNOWN', {}, 'queryable')).includes('no probe found it absent'))
  const far = { body: { send_before: '2026-02-01T09:30:00.000Z' } }
  assert.deepEqual(await again('UNKNOWN', far), ['it may be sent again for longer than allowed'])
})

test('what is done is granted by contract and writ, and costs what it must', async () => {
  const sent = async (
    change: Partial<IntentBody>,
    { writ = {}, terms = {} }: { readonly writ?: object; readonly terms?: Partial<Contract> } = {},
  ): Promise<string[]> => {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    const next: Contract = { ...contract, version: '2.0.0', ...terms }
    const hash: Address = computeAddress('contract', next, sha256)
    builder.decree('contract', { ...DEPLOY, contract: next, contract_hash: hash })
    builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
    const body = writBody(builder, writ)
    const writId = grant(builder, body, { contract: { hash, seq: 9 } })
    dispatch(builder, writId, { contract_hash: hash, ...change })
    return toldOfLast({ builder })
  }
  assert.deepEqual(await sent({}), [])
  assert.deepEqual(await sent({ capability: 'BUY@2' }), ['it names another capability'])
  assert.deepEqual(await sent({ cost: {} }), ['it costs less than it must'])
  assert.deepEqual(await sent({ cost: { calls: '11' } }), [
    'more `calls` is taken than its writ grants',
  ])
  assert.deepEqual(await sent({}, { writ: { scopes: [{ kind: 'SELL' }] } }), [
    'a writ does not grant `BUY`',
  ])
  const effect_ceiling = { read: true, write: false, external: false, irreversible: false }
  assert.deepEqual(await sent({}, { writ: { effect_ceiling } }), [
    'a writ does not grant such an effect',
  ])
  const { permissions, safety_rules } = contract
  assert.deepEqual(
    await sent({}, { terms: { permissions: { ...permissions, policy_kinds: [] } } }),
    ['its contract does not grant `BUY`'],
  )
  const forbidden = { ...permissions, policy_kinds: [], forbidden_kinds: ['BUY'] }
  assert.ok(
    (await sent({}, { terms: { permissions: forbidden } })).includes('its contract forbids `BUY`'),
  )
  const asking = { ...safety_rules, requires_human_approval: ['BUY'] }
  assert.deepEqual(await sent({}, { terms: { safety_rules: asking } }), [
    '`BUY` asks for a person, and nobody approved it',
  ])
  const signing = { ...safety_rules, requires_signature: true }
  assert.deepEqual(await sent({}, { terms: { safety_rules: signing } }), [
    'its contract asks for a signature of its agent',
  ])
})
