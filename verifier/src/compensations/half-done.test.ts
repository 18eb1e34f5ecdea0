/** What stands of a flow, counted: what happened, failed or was undone, in it and below it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { abandon, accept, learn, settle } from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  commit,
  DFID,
  type Dispatched,
  dispatch,
  grant,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { saga, WORD } from '../samples/sample-saga.test-support.ts'
import {
  describeChoice,
  found,
  idOf,
  NOTHING,
  type Stage,
  stage,
  told,
  undone,
} from '../samples/sample-undoing.test-support.ts'

const CHILD = '019c1200-0000-7000-8000-0000000000ca'
const GRANDCHILD = '019c1200-0000-7000-8000-0000000000cb'
const APPLIED = { ...WORD, outcome: 'applied' }
const ABANDON = { ...WORD, outcome: 'abandon' }
const UNSAID =
  'an effect of its flow failed, another one is still in place, and the flow is not DIRTY'
const NOT_DIRTY = 'its flow is not DIRTY'

function lastLeaf({ builder }: Pick<Stage, 'builder'>): number {
  return builder.entries.length - 1
}

/** What is said of the last entry, where nothing is said of any other. */
async function toldOfLast(it: Pick<Stage, 'builder'>): Promise<string[]> {
  const all = await told(it)
  const begin = `${lastLeaf(it)}: `
  assert.ok(
    all.every((one) => one.startsWith(begin)),
    all.join('\n'),
  )
  return all.map((one) => one.slice(begin.length))
}

function step(it: Stage, step_id: string): Dispatched {
  return dispatch(it.builder, it.writId, { step_id })
}

/** One effect stands, a second one has failed, and a third one is under review. */
function failed(): Stage & { readonly third: Dispatched } {
  const it = stage()
  const [second, third] = [step(it, 'step-2'), step(it, 'step-3')]
  settle(it.builder, third.intent, 'MANUAL_REVIEW')
  settle(it.builder, second.intent, 'FAILED')
  return { ...it, third }
}

test('only DIRTY says that a flow is half done: no other evidence of it does', async () => {
  const dirty = failed()
  saga(dirty.builder, 'PARTIAL_SUCCESS_DIRTY')
  assert.deepEqual(await found(dirty), [])
  const heard = failed()
  learn(heard.builder, heard.third.intent, 'person', 'applied')
  assert.deepEqual(await toldOfLast(heard), [UNSAID])
  const compensating = failed()
  saga(compensating.builder, 'COMPENSATING', describeChoice(compensating.chosen))
  assert.deepEqual(await toldOfLast(compensating), [UNSAID, NOT_DIRTY])
})

test('an entry that cannot be read says nothing of its flow', async () => {
  const it = failed()
  it.builder.append('main', 'evidence', { mood: 'good' }, { dfid: DFID })
  assert.ok((await told(it)).includes(`${lastLeaf(it)}: ${UNSAID}`))
})

test('what happens in another flow neither says it nor stands in for it', async () => {
  const said = failed()
  grant(said.builder, writBody(said.builder, { nonce: CHILD }), { dfid: CHILD })
  saga(said.builder, 'PARTIAL_SUCCESS_DIRTY')
  assert.deepEqual(await found(said), [])
  const other = failed()
  const leaf = lastLeaf(other)
  grant(other.builder, writBody(other.builder, { nonce: CHILD }), { dfid: CHILD })
  assert.deepEqual(await told(other), [`${leaf}: ${UNSAID}`])
})

test('half of a job is done only where an effect failed and another one has happened', async () => {
  const uncertain = stage()
  settle(uncertain.builder, step(uncertain, 'step-2').intent, 'UNKNOWN')
  assert.deepEqual(await told(uncertain), [], 'nobody knows')
  const given = stage()
  abandon(given.builder, accept(given.builder, given.writId, { step_id: 'step-2' }))
  assert.deepEqual(await told(given), [], 'it was given back')
  const choice = stage()
  settle(choice.builder, choice.chosen.intent, 'FAILED')
  assert.deepEqual(await told(choice), [], 'a choice is no effect')
  const alone = stage()
  undone(alone)
  settle(alone.builder, step(alone, 'step-2').intent, 'FAILED')
  assert.deepEqual(await told(alone), [], 'the other one was undone')
  const before = stage()
  const second = step(before, 'step-2')
  saga(before.builder, 'PARTIAL_SUCCESS_DIRTY')
  settle(before.builder, second.intent, 'FAILED')
  assert.deepEqual(await told(before), [], 'it was said before')
})

test('a flow that did nothing has nothing left to settle', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  grant(builder, writBody(builder))
  saga(builder, 'MANUAL_REVIEW', { settles: [], details: APPLIED })
  assert.deepEqual(await toldOfLast({ builder }), [
    'it settles effects, and no person decided that',
    NOT_DIRTY,
  ])
})

test('the first effect of a flow that fails leaves nothing half done', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const first = dispatch(builder, grant(builder, writBody(builder)))
  settle(builder, first.intent, 'FAILED')
  assert.deepEqual(await told({ builder }), [])
})

test('of two effects that have happened one is left when the other was undone', async () => {
  const it = stage()
  commit(it.builder, step(it, 'step-2').intent, [], NOTHING)
  undone(it)
  settle(it.builder, step(it, 'step-3').intent, 'FAILED')
  assert.deepEqual(await toldOfLast(it), [UNSAID])
})

test('what is committed twice has happened once', async () => {
  const it = stage()
  commit(it.builder, it.done.intent, [], NOTHING)
  const twice = lastLeaf(it)
  undone(it)
  settle(it.builder, step(it, 'step-2').intent, 'FAILED')
  assert.deepEqual(await found(it), [`${twice} AUTHORITY_ORDER`], 'and nothing of the failure')
})

test('an outcome in another flow than that of its intent is found, and counted nowhere else', async () => {
  const it = stage()
  grant(it.builder, writBody(it.builder, { nonce: CHILD }), { dfid: CHILD })
  const second = step(it, 'step-2')
  commit(it.builder, { ...second.intent, dfid: CHILD }, [], NOTHING)
  assert.deepEqual(await toldOfLast(it), ['its intent was dispatched by another flow'])
  const failing = stage()
  grant(failing.builder, writBody(failing.builder, { nonce: CHILD }), { dfid: CHILD })
  settle(failing.builder, step(failing, 'step-2').intent, 'FAILED', CHILD)
  assert.deepEqual(await toldOfLast(failing), ['its intent was dispatched by another flow'])
})

test('of a flow that was never opened nobody knows whether it is half done', async () => {
  for (const status of ['COMPENSATING', 'COMPENSATED', 'SETTLED']) {
    const it = stage()
    saga(it.builder, status, {}, CHILD)
    const said = (await toldOfLast(it)).filter((one) => /DIRTY|recorded as/.test(one))
    assert.deepEqual(said, [], status)
  }
})

/** Three flows, one below the other; the lowest has an effect that stands, and all are half done. */
function threeLevels(): Pick<Stage, 'builder' | 'done'> {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const key = { subject_key: builder.issuer.id }
  const first = { ...key, delegation: { max_depth: 2, may_delegate: true } }
  const top = grant(builder, writBody(builder, first))
  const second = { ...key, delegation: { max_depth: 1, may_delegate: true } }
  const middle = grant(
    builder,
    writBody(builder, { ...second, nonce: CHILD, parent: top, budget: { calls: '4' } }),
    { dfid: CHILD, parent_dfid: DFID },
  )
  const delegation = { max_depth: 0, may_delegate: false }
  const lowest = { nonce: GRANDCHILD, parent: middle, delegation, budget: { calls: '2' } }
  const opened = { dfid: GRANDCHILD, parent_dfid: CHILD }
  const done = dispatch(builder, grant(builder, writBody(builder, lowest), opened), {
    dfid: GRANDCHILD,
  })
  commit(builder, done.intent)
  for (const dfid of [GRANDCHILD, CHILD, DFID]) saga(builder, 'PARTIAL_SUCCESS_DIRTY', {}, dfid)
  return { builder, done }
}

test('what stands two flows below stands in the uppermost one, until it is settled', async () => {
  const left = 'it is recorded as COMPENSATED, and an effect is neither undone nor settled'
  for (const dfid of [DFID, CHILD, GRANDCHILD]) {
    const it = threeLevels()
    saga(it.builder, 'COMPENSATED', {}, dfid)
    assert.deepEqual(await toldOfLast(it), [left], dfid)
  }
  const settled = threeLevels()
  const settles = [idOf(settled.done)]
  saga(settled.builder, 'SETTLED', { settles, details: ABANDON })
  for (const dfid of [CHILD, GRANDCHILD]) saga(settled.builder, 'COMPENSATED', {}, dfid)
  assert.deepEqual(await told(settled), [])
})

test('where a flow above was erased nothing is said of what is below it', async () => {
  const it = threeLevels()
  eraseFlow(it.builder, DFID)
  saga(it.builder, 'COMPENSATED', {}, GRANDCHILD)
  assert.deepEqual(await told(it), [])
})

test('what is settled is said in words: an effect, that is left, of the flow or below it', async () => {
  const settling = async (
    it: Pick<Stage, 'builder'>,
    settles: readonly string[],
    dfid = DFID,
  ): Promise<string[]> => {
    saga(it.builder, 'COMPENSATED', { settles: [...settles], details: APPLIED }, dfid)
    return toldOfLast(it)
  }
  const dirty = (): Stage => {
    const it = stage()
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    return it
  }
  const own = dirty()
  assert.deepEqual(await settling(own, [idOf(own.done)]), [])
  const invented = dirty()
  assert.deepEqual(await settling(invented, [idOf(invented.done), `sha256:${'ab'.repeat(32)}`]), [
    'it settles an unknown effect',
  ])
  const choice = dirty()
  assert.deepEqual(await settling(choice, [idOf(choice.done), idOf(choice.chosen)]), [
    'it settles an entry that is not an effect',
    'it settles what has no outcome',
  ])
  const over = dirty()
  undone(over)
  assert.deepEqual(await settling(over, [idOf(over.done)]), [
    'it settles an effect that was undone or settled before',
  ])
  const less = dirty()
  assert.deepEqual(await settling(less, []), [
    'it is recorded as COMPENSATED, and an effect is neither undone nor settled',
  ])
  const other = dirty()
  grant(other.builder, writBody(other.builder, { nonce: CHILD }), { dfid: CHILD })
  saga(other.builder, 'PARTIAL_SUCCESS_DIRTY', {}, CHILD)
  assert.deepEqual(await settling(other, [idOf(other.done)], CHILD), [
    'it settles what another flow did',
  ])
})

test('a flow is called DIRTY once, and put right after that, and not by nobody', async () => {
  const dirty = (): Stage => {
    const it = stage()
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    return it
  }
  const twice = dirty()
  saga(twice.builder, 'PARTIAL_SUCCESS_DIRTY')
  assert.deepEqual(await toldOfLast(twice), ['its flow was DIRTY before'])
  const nobody = dirty()
  saga(nobody.builder, 'SETTLED')
  assert.deepEqual(await toldOfLast(nobody), [
    'it is recorded as SETTLED, and no person decided that',
  ])
  const early = stage()
  undone(early)
  saga(early.builder, 'MANUAL_REVIEW')
  assert.deepEqual(await toldOfLast(early), [NOT_DIRTY])
  const between = dirty()
  saga(between.builder, 'COMPENSATING', describeChoice(between.chosen))
  undone(between)
  saga(between.builder, 'COMPENSATED')
  assert.deepEqual(await told(between), [])
  const wordless = dirty()
  saga(wordless.builder, 'COMPENSATED', { settles: [idOf(wordless.done)], details: ABANDON })
  assert.deepEqual(await toldOfLast(wordless), ['it settles effects, and no person decided that'])
})

test('a flow that was settled is half done no longer, and may become so again', async () => {
  const settled = (): Stage => {
    const it = stage()
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    saga(it.builder, 'SETTLED', { settles: [idOf(it.done)], details: ABANDON })
    return it
  }
  const over = settled()
  saga(over.builder, 'COMPENSATING', describeChoice(over.chosen))
  assert.deepEqual(await toldOfLast(over), [NOT_DIRTY])
  const again = settled()
  saga(again.builder, 'PARTIAL_SUCCESS_DIRTY')
  assert.deepEqual(await told(again), [])
})
