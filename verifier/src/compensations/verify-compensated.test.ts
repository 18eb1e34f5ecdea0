/** What the kernel's key says of a flow is held against what its steps, and people, say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress, type JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { accept, learn, settle } from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  capability,
  commit,
  DFID,
  type Dispatched,
  dispatch,
  grant,
  rulesBody,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { saga, WORD } from '../samples/sample-saga.test-support.ts'
import {
  found,
  idOf,
  NOTHING,
  type Stage,
  stage,
  undoing,
  undone,
} from '../samples/sample-undoing.test-support.ts'

const CHILD = '019c1200-0000-7000-8000-0000000000ca'
const APPLIED = { ...WORD, outcome: 'applied' }
const ABANDON = { ...WORD, outcome: 'abandon' }

/** The last entry, and nothing else. */
function last({ builder }: Pick<Stage, 'builder'>): string[] {
  return [`${builder.entries.length - 1} AUTHORITY_ORDER`]
}

/** A flow with one effect that stands, a choice about it, and half a job. */
function halfDone(): Stage {
  const it = stage()
  saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
  return it
}

test('a flow is not called COMPENSATED while an effect of it stands', async () => {
  const it = halfDone()
  saga(it.builder, 'COMPENSATED')
  assert.deepEqual(await found(it), last(it))
})

test('where everything was undone it is', async () => {
  const it = halfDone()
  undone(it)
  saga(it.builder, 'COMPENSATED', { details: { action: 'REVERT' } })
  assert.deepEqual(await found(it), [])
})

test('what was undone of two effects is not all', async () => {
  const it = stage()
  const second = dispatch(it.builder, it.writId, { step_id: 'step-2' })
  commit(it.builder, second.intent, [], NOTHING)
  saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
  undone(it)
  saga(it.builder, 'COMPENSATED')
  assert.deepEqual(await found(it), last(it))
})

test('a flow is not called SETTLED by a person who names less than stands in it', async () => {
  const two = (): Stage & { readonly second: Dispatched } => {
    const it = stage()
    const second = dispatch(it.builder, it.writId, { step_id: 'step-2' })
    commit(it.builder, second.intent, [], NOTHING)
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    return { ...it, second }
  }
  const less = two()
  saga(less.builder, 'SETTLED', { settles: [idOf(less.done)], details: ABANDON })
  assert.deepEqual(await found(less), last(less))
  const all = two()
  saga(all.builder, 'SETTLED', { settles: [idOf(all.done), idOf(all.second)], details: ABANDON })
  assert.deepEqual(await found(all), [])
})

test('an effect that has no outcome may have happened; one that failed has not', async () => {
  const outcomes = [null, 'UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW', 'FAILED']
  for (const outcome of outcomes) {
    const it = stage()
    const { intent } = dispatch(it.builder, it.writId, { step_id: 'step-2' })
    if (outcome !== null) settle(it.builder, intent, outcome)
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    undone(it)
    saga(it.builder, 'COMPENSATED')
    assert.deepEqual(await found(it), outcome === 'FAILED' ? [] : last(it), outcome ?? 'none')
  }
  const it = stage()
  accept(it.builder, it.writId, { step_id: 'step-2' })
  saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
  undone(it)
  saga(it.builder, 'COMPENSATED')
  assert.deepEqual(await found(it), last(it), 'accepted')
})

test('a read leaves nothing that could be undone', async () => {
  const builder = new LedgerBuilder()
  const read = { ...capability, effect: 'read' }
  const record = {
    capability: read,
    capability_hash: computeAddress('capability', read, nodeCrypto.sha256),
  }
  bootstrap(builder, rulesBody({ capabilities: [record] }))
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const own = { capability_hash: record.capability_hash }
  commit(builder, dispatch(builder, grant(builder, writBody(builder)), own).intent)
  saga(builder, 'PARTIAL_SUCCESS_DIRTY')
  saga(builder, 'COMPENSATED')
  assert.deepEqual(await found({ builder }), [])
})

type Family = { readonly builder: LedgerBuilder; readonly done: Dispatched }

/** A flow that did nothing, above one with an effect that stands; both are half done. */
function family(): Family {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const parent = grant(builder, writBody(builder, { subject_key: builder.issuer.id }))
  const delegation = { max_depth: 0, may_delegate: false }
  const child = { nonce: CHILD, parent, delegation, budget: { calls: '1' } }
  const writ = grant(builder, writBody(builder, child), { dfid: CHILD, parent_dfid: DFID })
  const done = dispatch(builder, writ, { dfid: CHILD })
  commit(builder, done.intent)
  for (const dfid of [CHILD, DFID]) saga(builder, 'PARTIAL_SUCCESS_DIRTY', {}, dfid)
  return { builder, done }
}

test('what stands below a flow stands in it', async () => {
  const it = family()
  saga(it.builder, 'COMPENSATED')
  assert.deepEqual(await found(it), last(it))
})

test('what a person has settled below, in words, does not stand above', async () => {
  const it = family()
  const settles = [idOf(it.done)]
  saga(it.builder, 'SETTLED', { settles, details: ABANDON }, CHILD)
  saga(it.builder, 'COMPENSATED')
  assert.deepEqual(await found(it), [])
})

test('what was settled above is over below, also where the word was erased', async () => {
  for (const isErased of [false, true]) {
    const it = family()
    const settles = [idOf(it.done)]
    saga(it.builder, 'COMPENSATED', { settles, details: APPLIED })
    saga(it.builder, 'COMPENSATED', { settles: [], details: APPLIED }, CHILD)
    if (isErased) eraseFlow(it.builder, DFID)
    assert.deepEqual(await found(it), [], String(isErased))
  }
})

test('nothing is settled without the word of a person, who says what is recorded', async () => {
  const words: readonly JsonObject[] = [
    {},
    { ...APPLIED, by: '' },
    { ...APPLIED, by: 7 },
    { ...APPLIED, by: ' \u200b' },
    { ...APPLIED, justification: '\u2800' },
    { by: 'olga', outcome: 'applied' },
    WORD,
    ABANDON,
  ]
  for (const details of words) {
    const it = halfDone()
    saga(it.builder, 'COMPENSATED', { settles: [idOf(it.done)], details })
    assert.deepEqual(await found(it), last(it), JSON.stringify(details))
  }
  const it = halfDone()
  saga(it.builder, 'MANUAL_REVIEW', { settles: [idOf(it.done)], details: APPLIED })
  assert.deepEqual(await found(it), last(it))
})

test('a person settles what is left of the flow, and not what another one did', async () => {
  const named = halfDone()
  saga(named.builder, 'COMPENSATED', { settles: [idOf(named.done)], details: APPLIED })
  assert.deepEqual(await found(named), [])
  const twice = halfDone()
  undone(twice)
  saga(twice.builder, 'COMPENSATED', { settles: [idOf(twice.done)], details: APPLIED })
  assert.deepEqual(await found(twice), last(twice))
  const it = halfDone()
  grant(it.builder, writBody(it.builder, { nonce: CHILD }), { dfid: CHILD })
  saga(it.builder, 'PARTIAL_SUCCESS_DIRTY', {}, CHILD)
  saga(it.builder, 'COMPENSATED', { settles: [idOf(it.done)], details: APPLIED }, CHILD)
  assert.deepEqual(await found(it), last(it))
})

test('a person settles effects, and nothing that nobody did', async () => {
  const it = halfDone()
  const settles = [idOf(it.done)]
  saga(it.builder, 'COMPENSATED', { settles: [...settles, idOf(it.chosen)], details: APPLIED })
  assert.deepEqual(await found(it), last(it), 'a choice')
  const unknown = halfDone()
  const invented = `sha256:${'ab'.repeat(32)}`
  saga(unknown.builder, 'COMPENSATED', { settles: [...settles, invented], details: APPLIED })
  assert.deepEqual(await found(unknown), last(unknown), 'invented')
})

test('what was erased may be settled once for each dispatch that is gone', async () => {
  for (const settled of [1, 2]) {
    const it = family()
    const settles = ['ab', 'cd'].slice(0, settled).map((digits) => `sha256:${digits.repeat(32)}`)
    const details = ABANDON
    saga(it.builder, 'SETTLED', { settles: [idOf(it.done)], details }, CHILD)
    eraseFlow(it.builder, CHILD)
    saga(it.builder, 'SETTLED', { settles, details })
    assert.deepEqual(await found(it), settled === 1 ? [] : last(it), String(settled))
  }
})

test('nothing is settled while it may still happen, or while it is being undone', async () => {
  for (const outcome of [null, 'UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW']) {
    const it = stage()
    const second = dispatch(it.builder, it.writId, { step_id: 'step-2' })
    if (outcome !== null) settle(it.builder, second.intent, outcome)
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    const settles = [idOf(it.done), idOf(second)]
    saga(it.builder, 'COMPENSATED', { settles, details: APPLIED })
    assert.deepEqual(await found(it), outcome === 'MANUAL_REVIEW' ? [] : last(it), `${outcome}`)
  }
  for (const isOver of [false, true]) {
    const it = halfDone()
    const { intent } = undoing(it)
    if (isOver) settle(it.builder, intent, 'FAILED')
    saga(it.builder, 'COMPENSATED', { settles: [idOf(it.done)], details: APPLIED })
    assert.deepEqual(await found(it), isOver ? [] : last(it), String(isOver))
  }
})

test('a person speaks of what is under review, by name and with a reason', async () => {
  const said = (details: JsonObject): JsonObject => ({ salt: '', source: 'person', details })
  for (const details of [{}, { ...WORD, by: ' ' }, { ...WORD, justification: '\u00ad' }, WORD]) {
    const it = stage()
    const { intent } = dispatch(it.builder, it.writId, { step_id: 'step-2' })
    settle(it.builder, intent, 'MANUAL_REVIEW')
    const about = { intent_id: String(intent.intent_id), finding: 'applied' }
    it.builder.append('main', 'evidence', { ...said(details), ...about }, { dfid: DFID })
    assert.deepEqual(await found(it), details === WORD ? [] : last(it), JSON.stringify(details))
  }
  const over = stage()
  learn(over.builder, over.done.intent, 'person', 'applied')
  assert.deepEqual(await found(over), last(over), 'it is over')
})

test('a flow is settled without naming effects where a person said what became of a step', async () => {
  for (const said of ['nobody', 'before', 'person', 'probe']) {
    const it = stage()
    const { intent } = dispatch(it.builder, it.writId, { step_id: 'step-2' })
    settle(it.builder, intent, 'MANUAL_REVIEW')
    if (said === 'before') learn(it.builder, intent, 'person', 'applied')
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    if (said === 'person' || said === 'probe') learn(it.builder, intent, said, 'applied')
    saga(it.builder, 'SETTLED')
    assert.deepEqual(await found(it), said === 'person' ? [] : last(it), said)
  }
})

test('a flow is called half done at once where an effect failed and another one stands', async () => {
  const failed = (): Stage => {
    const it = stage()
    const { intent } = dispatch(it.builder, it.writId, { step_id: 'step-2' })
    settle(it.builder, intent, 'FAILED')
    return it
  }
  const silent = failed()
  assert.deepEqual(await found(silent), last(silent), 'nobody says so')
  const late = failed()
  dispatch(late.builder, late.writId, { step_id: 'step-3' })
  assert.deepEqual(await found(late), last(late), 'it goes on')
  const said = failed()
  saga(said.builder, 'PARTIAL_SUCCESS_DIRTY')
  assert.deepEqual(await found(said), [])
  const again = stage()
  undone(again)
  const { intent } = dispatch(again.builder, again.writId, { step_id: 'step-2' })
  settle(again.builder, intent, 'FAILED')
  assert.deepEqual(await found(again), [], 'the other one was undone')
})

test('a flow becomes half done once, and only one that is half done is put right', async () => {
  for (const status of ['COMPENSATING', 'MANUAL_REVIEW', 'COMPENSATED']) {
    const it = stage()
    undone(it)
    saga(it.builder, status)
    assert.deepEqual(await found(it), last(it), status)
  }
  const twice = halfDone()
  saga(twice.builder, 'PARTIAL_SUCCESS_DIRTY')
  assert.deepEqual(await found(twice), last(twice))
  const again = halfDone()
  undone(again)
  for (const status of ['COMPENSATED', 'PARTIAL_SUCCESS_DIRTY', 'COMPENSATED'])
    saga(again.builder, status)
  assert.deepEqual(await found(again), [])
})
