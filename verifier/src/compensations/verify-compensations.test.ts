import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type Contract,
  computeAddress,
  computeIdempotencyKey,
  computeParamsFingerprint,
  LIMITS,
  listRecheckedStages,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import { accept, carryOut, settle as settleAs } from '../samples/sample-executors.test-support.ts'
import {
  commit,
  contract,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  move,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { sendAgain } from '../samples/sample-resends.test-support.ts'
import { saga, WORD } from '../samples/sample-saga.test-support.ts'
import {
  CHOICE,
  type Change,
  found,
  idOf,
  NOTHING,
  type Stage,
  stage,
  undoing,
  undone,
} from '../samples/sample-undoing.test-support.ts'

const { sha256 } = nodeCrypto
const CHOOSER = '019c1200-0000-7000-8000-0000000000c9'
const BELOW = '019c1200-0000-7000-8000-0000000000ca'

test('what was committed, and chosen to be undone, is undone', async () => {
  const it = stage()
  undone(it)
  assert.deepEqual(await found(it), [])
})

test('with executors of their own, too', async () => {
  const it = stage()
  const choice = { step_id: 'again', policy_kind: 'COMPENSATE', params: CHOICE }
  const chosen = accept(it.builder, it.writId, choice)
  carryOut(it.builder, chosen)
  const other = { ...it, chosen }
  undone(other)
  assert.deepEqual(await found(other), [])
})

test('what was not committed cannot be undone', async () => {
  const it = stage()
  undoing(it, { compensation: { of: idOf(it.chosen) } })
  assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER'])
})

test('what undoes costs nothing, and nothing holds it', async () => {
  for (const body of [{ cost: { calls: '1' } }, { constraints: { max_quantity: '1' } }]) {
    const it = stage()
    undoing(it, { body })
    assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER'], JSON.stringify(body))
  }
})

test('nothing is undone that nobody chose to undo', async () => {
  const it = stage()
  const nobody: Address = `sha256:${'7'.repeat(64)}`
  undoing(it, { compensation: { chosen: nobody } })
  assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER'])
  for (const compensation of [{ chosen: idOf(it.done) }, { dfid: 'another-flow' }]) {
    const other = stage()
    undoing(other, { compensation })
    assert.deepEqual(await found(other), ['14 AUTHORITY_ORDER'])
  }
})

test('a choice is about one flow, those below it, and what was chosen for them', async () => {
  for (const params of [{ ...CHOICE, action: 'CLOSE_ALL' }, { ...CHOICE, dfid: CHOOSER }, {}]) {
    const it = stage()
    const choice = { step_id: 'again', policy_kind: 'COMPENSATE', params }
    undoing({ ...it, chosen: dispatch(it.builder, it.writId, choice) })
    assert.deepEqual(await found(it), ['15 AUTHORITY_ORDER'], JSON.stringify(params))
  }
  const it = stage()
  const above = writBody(it.builder, { nonce: CHOOSER, subject_key: it.builder.issuer.id })
  const parent = grant(it.builder, above, { dfid: CHOOSER })
  const delegation = { max_depth: 0, may_delegate: false }
  const below = writBody(it.builder, { nonce: BELOW, parent, delegation })
  const writId = grant(it.builder, below, { dfid: BELOW, parent_dfid: CHOOSER })
  assert.deepEqual(await found(it), [])
  const done = dispatch(it.builder, writId, { dfid: BELOW })
  commit(it.builder, done.intent, [], NOTHING)
  for (const dfid of [CHOOSER, DFID]) {
    const choice = { step_id: `of-${dfid}`, policy_kind: 'COMPENSATE', params: { ...CHOICE, dfid } }
    const chosen = dispatch(it.builder, it.writId, choice)
    const idempotency_key = computeIdempotencyKey(BELOW, 'undo~step-1', { quantity: '1.5' }, sha256)
    undoing({ ...it, done, chosen }, { body: { dfid: BELOW, idempotency_key } })
    const last = `${it.builder.entries.length - 1} AUTHORITY_ORDER`
    assert.equal((await found(it)).includes(last), dfid === DFID, dfid)
    it.builder.entries.pop()
  }
})

test('a choice holds for what stands as far below as flows may', async () => {
  const it = stage()
  const { builder } = it
  const depth = LIMITS.delegationDepth
  const flows = Array.from({ length: depth + 1 }, (_, i) => CHOOSER.replace(/c9$/, `e${i}`))
  let parent: Address | undefined
  for (const [level, dfid] of flows.entries()) {
    const delegation = { max_depth: depth - level, may_delegate: level < depth }
    const own = { nonce: dfid, subject_key: builder.issuer.id, delegation }
    const below = level === 0 ? {} : { parent_dfid: flows[level - 1] ?? '' }
    const body = writBody(builder, { ...own, ...(parent === undefined ? {} : { parent }) })
    parent = grant(builder, body, { dfid, ...below })
  }
  const [first = '', last = ''] = [flows.at(0), flows.at(-1)]
  assert.ok(parent !== undefined)
  const done = dispatch(builder, parent, { dfid: last })
  commit(builder, done.intent, [], NOTHING)
  const params = { ...CHOICE, dfid: first }
  const choice = { step_id: 'of-first', policy_kind: 'COMPENSATE', params }
  const chosen = dispatch(builder, it.writId, choice)
  const idempotency_key = computeIdempotencyKey(last, 'undo~step-1', { quantity: '1.5' }, sha256)
  undoing({ ...it, done, chosen }, { body: { dfid: last, idempotency_key } })
  assert.deepEqual(await found(it), [])
})

test('a choice about a flow that was erased holds for none that is not below it', async () => {
  const it = stage()
  const above = writBody(it.builder, { nonce: CHOOSER })
  grant(it.builder, above, { dfid: CHOOSER })
  const params = { ...CHOICE, dfid: CHOOSER }
  const choice = { step_id: 'again', policy_kind: 'COMPENSATE', params }
  undoing({ ...it, chosen: dispatch(it.builder, it.writId, choice) })
  assert.deepEqual(await found(it), ['16 AUTHORITY_ORDER'])
  eraseFlow(it.builder, CHOOSER)
  assert.deepEqual(await found(it), ['16 AUTHORITY_ORDER'])
})

test('nobody chooses about a flow that they do not answer for', async () => {
  const agent_id = 'stranger'
  const it = stage()
  const { builder } = it
  const theirs: Contract = { ...contract, agent_id }
  const contract_hash = computeAddress('contract', theirs, sha256)
  builder.decree('contract', { ...DEPLOY, contract: theirs, contract_hash })
  move(builder, null, 'INITIALIZING', 'operator', agent_id)
  move(builder, 'INITIALIZING', 'ACTIVE', 'registry', agent_id)
  const body = writBody(builder, { nonce: CHOOSER, subject: agent_id })
  const flow = { dfid: CHOOSER, agent_id, contract: { hash: contract_hash, seq: 9 } }
  const own = { dfid: CHOOSER, agent_id, contract_hash }
  const choice = { step_id: 'choose', policy_kind: 'COMPENSATE', params: CHOICE }
  const chosen = dispatch(builder, grant(builder, body, flow), { ...own, ...choice })
  assert.deepEqual(await found(it), [])
  undoing({ ...it, chosen }, { compensation: { dfid: CHOOSER }, body: { dfid: DFID } })
  assert.deepEqual(await found(it), [`${builder.entries.length - 1} AUTHORITY_ORDER`])
})

test('what is only accepted undoes nothing either that was not done, or that nobody chose to undo', async () => {
  const lawful = stage()
  const undo = undoing(lawful, { accepted: true })
  carryOut(lawful.builder, undo)
  commit(lawful.builder, undo.intent, [], { compensates: idOf(lawful.done), ...NOTHING })
  assert.deepEqual(await found(lawful), [])
  const nobody: Address = `sha256:${'7'.repeat(64)}`
  const params = { quantity: '1000' }
  const other = {
    params,
    params_fingerprint: computeParamsFingerprint('COMPENSATE', params, sha256),
  }
  const idempotency_key = computeIdempotencyKey(DFID, 'undo~step-1', params, sha256)
  const forged: readonly Change[] = [
    { compensation: { of: nobody } },
    { compensation: { chosen: nobody } },
    { body: { ...other, idempotency_key } },
  ]
  for (const change of forged) {
    const it = stage()
    const { intent, entry } = undoing(it, { ...change, accepted: true })
    carryOut(it.builder, { intent, entry })
    const { of = idOf(it.done) } = change.compensation ?? {}
    commit(it.builder, intent, [], { compensates: of, ...NOTHING })
    assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER'], JSON.stringify(change))
  }
})

test('a choice that was not sent chooses nothing', async () => {
  const it = stage()
  const waits = accept(it.builder, it.writId, { step_id: 'again', policy_kind: 'COMPENSATE' })
  undoing(it, { compensation: { chosen: idOf(waits) } })
  assert.deepEqual(await found(it), ['15 AUTHORITY_ORDER'])
})

test('an undoing on other authority than that of the choice is found', async () => {
  const it = stage()
  const delegation = { max_depth: 0, may_delegate: false }
  const writ_id = grant(it.builder, writBody(it.builder, { delegation }))
  undoing(it, { body: { writ_id } })
  assert.deepEqual(await found(it), ['15 AUTHORITY_ORDER'])
})

test('an effect is undone once', async () => {
  const it = stage()
  undone(it)
  const again = undoing(it, { step_id: 'undo~again' })
  commit(it.builder, again.intent, [], { compensates: idOf(it.done), ...NOTHING })
  assert.deepEqual(await found(it), ['16 AUTHORITY_ORDER', '17 AUTHORITY_ORDER'])
})

test('a commit says of itself what its intent says', async () => {
  const silent = stage()
  const undo = undoing(silent)
  commit(silent.builder, undo.intent, [], NOTHING)
  assert.deepEqual(await found(silent), ['15 AUTHORITY_ORDER'])
  const boastful = stage()
  const { intent } = boastful.chosen
  commit(boastful.builder, intent, [], { compensates: idOf(boastful.done), ...NOTHING })
  assert.deepEqual(await found(boastful), ['14 AUTHORITY_ORDER'])
})

test('a choice may have stood in a flow that was erased, and in no other', async () => {
  for (const erased of [CHOOSER, undefined]) {
    const it = stage()
    const body = { ...writBody(it.builder), nonce: CHOOSER }
    const writId = grant(it.builder, body, { dfid: CHOOSER })
    const choice = { dfid: CHOOSER, step_id: 'choose', policy_kind: 'COMPENSATE', params: CHOICE }
    const chosen = dispatch(it.builder, writId, choice)
    undoing({ ...it, chosen }, { compensation: { dfid: CHOOSER }, body: { dfid: DFID } })
    if (erased !== undefined) eraseFlow(it.builder, erased)
    assert.deepEqual(await found(it), [])
  }
  const it = stage()
  undoing(it, { compensation: { chosen: `sha256:${'4'.repeat(64)}`, dfid: CHOOSER } })
  const body = { ...writBody(it.builder), nonce: CHOOSER }
  dispatch(it.builder, grant(it.builder, body, { dfid: CHOOSER }), { dfid: CHOOSER })
  eraseFlow(it.builder, CHOOSER)
  assert.ok((await found(it)).includes('14 AUTHORITY_ORDER'))
})

/** A person put right by hand what was done, or left it as it is. */
function settle({ builder, done }: Stage, status = 'COMPENSATED'): void {
  saga(builder, 'PARTIAL_SUCCESS_DIRTY')
  const outcome = status === 'SETTLED' ? 'abandon' : 'applied'
  saga(builder, status, { settles: [idOf(done)], details: { ...WORD, outcome } })
}

test('what a person has settled is not undone', async () => {
  for (const status of ['COMPENSATED', 'SETTLED']) {
    const it = stage()
    settle(it, status)
    assert.deepEqual(await found(it), [])
    undoing(it)
    assert.deepEqual(await found(it), ['16 AUTHORITY_ORDER'])
  }
})

test('an undoing is neither sent again nor done after a person has settled its effect', async () => {
  const it = stage()
  const { intent } = undoing(it)
  settle(it)
  assert.deepEqual(await found(it), ['16 AUTHORITY_ORDER'], 'nobody settles what is being undone')
  settleAs(it.builder, intent, 'UNKNOWN')
  sendAgain(it.builder, intent, 5, { stages: listRecheckedStages(true) })
  commit(it.builder, intent, [], { compensates: idOf(it.done), ...NOTHING })
  assert.deepEqual(
    await found(it),
    [16, 18, 19].map((leaf) => `${leaf} AUTHORITY_ORDER`),
  )
})

test('what is said to be settled is an intent', async () => {
  const it = stage()
  const payload = { salt: '', source: 'saga', status: 'SETTLED', details: {} }
  it.builder.append('main', 'evidence', { ...payload, settles: ['sell'] }, { dfid: DFID })
  assert.deepEqual(await found(it), ['14 ENTRY_UNREADABLE'])
})
