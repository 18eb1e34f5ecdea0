/** Who chose that something is undone, whether they might, and whether it is that which is undone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type Contract,
  computeAddress,
  computeIdempotencyKey,
  isObject,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import type { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { abandon, accept, settle as settleAs } from '../samples/sample-executors.test-support.ts'
import {
  commit,
  contract,
  DEPLOY,
  DFID,
  type Dispatched,
  dispatch,
  grant,
  move,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { saga, WORD } from '../samples/sample-saga.test-support.ts'
import {
  CHOICE,
  type Change,
  idOf,
  NOTHING,
  type Stage,
  stage,
  told,
  undoing,
  undone,
} from '../samples/sample-undoing.test-support.ts'

const { sha256 } = nodeCrypto
const ABOVE = '019c1200-0000-7000-8000-0000000000c8'
const CHOOSER = '019c1200-0000-7000-8000-0000000000c9'
const BELOW = '019c1200-0000-7000-8000-0000000000ca'
const UNCOMMITTED = 'it undoes what was not committed'
const NOT_IT = 'it undoes an effect of another flow, or is not the inverse of it'
const NO_CHOICE = 'it names an entry that did not decide to undo it'
const OTHER_EFFECT = 'another effect was to be undone, or one of another flow'
const OTHER_AUTHORITY = 'its authority is not that of the decision to undo, or of another flow'
const NOT_RESPONSIBLE = 'the agent that chose it is not responsible for the flow'
const WHYS = [
  UNCOMMITTED,
  NOT_IT,
  NO_CHOICE,
  OTHER_EFFECT,
  OTHER_AUTHORITY,
  NOT_RESPONSIBLE,
  'nobody decided to undo it',
  'it undoes what a person has settled',
  'it settles what is being undone',
  'it names another effect to undo than its intent does',
  'it was undone before',
]

/** What is said of undoing, by leaf. */
async function toldOfUndoing(it: Pick<Stage, 'builder'>): Promise<string[]> {
  return (await told(it)).filter((one) => WHYS.some((why) => one.endsWith(`: ${why}`)))
}

/** What is said of the last entry. */
async function why(it: Pick<Stage, 'builder'>): Promise<string[]> {
  const begin = `${it.builder.entries.length - 1}: `
  const all = await toldOfUndoing(it)
  return all.filter((one) => one.startsWith(begin)).map((one) => one.slice(begin.length))
}

test('what is undone was committed, and is undone by the same act in the step kept for it', async () => {
  const cases: readonly (readonly [(it: Stage) => Change, readonly string[]])[] = [
    [() => ({}), []],
    [({ chosen }) => ({ compensation: { of: idOf(chosen) } }), [UNCOMMITTED]],
    [() => ({ compensation: { of: `sha256:${'7'.repeat(64)}` } }), [UNCOMMITTED]],
    [() => ({ step_id: 'undo~step-2' }), [NOT_IT]],
    [() => ({ body: { trajectory: 'aside' } }), [NOT_IT]],
    [() => ({ body: { capability: 'SELL@1' } }), [NOT_IT]],
    [() => ({ body: { capability_hash: `sha256:${'7'.repeat(64)}` } }), [NOT_IT]],
    [() => ({ body: { params: { quantity: '2' } } }), [NOT_IT]],
    [() => ({ body: { resources: ['position/BTC'] } }), [NOT_IT]],
    [() => ({ body: { policy_kind: 'BUY' } }), [NOT_IT]],
    [() => ({ body: { cost: { calls: '1' } } }), [NOT_IT]],
    [() => ({ body: { constraints: { max_quantity: '1' } } }), [NOT_IT]],
  ]
  for (const [change, wanted] of cases) {
    const it = stage()
    undoing(it, change(it))
    assert.deepEqual(await why(it), wanted, JSON.stringify(change(it)))
  }
})

test('what is sent and has no outcome yet was not committed', async () => {
  const it = stage()
  const second = dispatch(it.builder, it.writId, { step_id: 'step-2' })
  undoing({ ...it, done: second }, { step_id: 'undo~step-2' })
  assert.deepEqual(await why(it), [UNCOMMITTED])
})

test('a choice is an entry that decided to undo something, and was sent', async () => {
  const ordinary = stage()
  undoing(ordinary, { compensation: { chosen: idOf(ordinary.done) } })
  assert.deepEqual(await why(ordinary), [NO_CHOICE], 'an ordinary step')
  const nobody = stage()
  undoing(nobody, { compensation: { chosen: `sha256:${'7'.repeat(64)}` } })
  assert.deepEqual(await why(nobody), ['nobody decided to undo it'])
  const chained = stage()
  const first = undoing(chained)
  undoing(chained, { compensation: { chosen: idOf(first) } })
  assert.deepEqual(await why(chained), [NO_CHOICE], 'what undoes is no choice')
  const waiting = stage()
  const choice = { step_id: 'again', policy_kind: 'COMPENSATE', params: CHOICE }
  const unsent = accept(waiting.builder, waiting.writId, choice)
  undoing({ ...waiting, chosen: unsent })
  assert.deepEqual(await why(waiting), [NO_CHOICE], 'it was only accepted')
})

test('what is undone is what was chosen, on the authority of the choice', async () => {
  const other = stage()
  undoing(other, { compensation: { action: 'CLOSE_ALL' } })
  assert.deepEqual(await why(other), [OTHER_EFFECT])
  const elsewhere = stage()
  undoing(elsewhere, { compensation: { dfid: CHOOSER } })
  assert.deepEqual(await why(elsewhere), [OTHER_AUTHORITY])
  const changes = [
    { agent_id: 'stranger' },
    { writ_id: `sha256:${'7'.repeat(64)}` },
    { contract_hash: `sha256:${'7'.repeat(64)}` },
    { proposal_hash: `sha256:${'7'.repeat(64)}` },
  ]
  for (const body of changes) {
    const it = stage()
    undoing(it, { body })
    assert.deepEqual(await why(it), [OTHER_AUTHORITY], JSON.stringify(body))
  }
})

/** An agent with a contract of its own, ACTIVE. */
function deployAgent(builder: LedgerBuilder, agent_id: string): Address {
  const { parent_agent: _, ...alone } = contract
  const theirs: Contract = { ...alone, agent_id }
  const contract_hash = computeAddress('contract', theirs, sha256)
  builder.decree('contract', { ...DEPLOY, contract: theirs, contract_hash })
  move(builder, null, 'INITIALIZING', 'operator', agent_id)
  move(builder, 'INITIALIZING', 'ACTIVE', 'registry', agent_id)
  return contract_hash
}

type Flow = { readonly agent: string; readonly hash: Address; readonly writ: Address }

/** A flow of that agent that may have others below it. */
function open(builder: LedgerBuilder, dfid: string, agent: string, hash: Address): Flow {
  const key = { subject: agent, subject_key: builder.issuer.id, nonce: dfid }
  const seq = builder.entries.findLastIndex(
    ({ envelope, payload }) => envelope.kind === 'contract' && payload?.includes(hash),
  )
  const flow = { dfid, agent_id: agent, contract: { hash, seq } }
  return { agent, hash, writ: grant(builder, writBody(builder, key), flow) }
}

function choose(builder: LedgerBuilder, { agent, hash, writ }: Flow, about: string): Dispatched {
  const params = { ...CHOICE, dfid: about }
  const own = { agent_id: agent, contract_hash: hash, dfid: CHOOSER }
  return dispatch(builder, writ, { ...own, step_id: 'choose', policy_kind: 'COMPENSATE', params })
}

/** In the flow of what was done; the choice stands in another one. */
function undo(it: Stage): void {
  const { dfid = null, params = null } = it.done.intent
  assert.ok(isObject(params))
  const key = computeIdempotencyKey(String(dfid), 'undo~step-1', params, sha256)
  undoing(it, { compensation: { dfid: CHOOSER }, body: { dfid, idempotency_key: key } })
}

test('an agent chooses about flows of agents whose contract names it as the one above', async () => {
  for (const agent of ['lead', 'stranger']) {
    const it = stage()
    const { builder } = it
    const chooser = open(builder, CHOOSER, agent, deployAgent(builder, agent))
    const chosen = choose(builder, chooser, DFID)
    undo({ ...it, chosen })
    assert.deepEqual(await why(it), agent === 'lead' ? [] : [NOT_RESPONSIBLE], agent)
  }
})

/** A step done in a flow below that of an agent that no contract names; `top`: the flow above. */
function below(top: string): Stage & { readonly stranger: Flow } {
  const it = stage()
  const { builder } = it
  const stranger = open(builder, top, 'stranger', deployAgent(builder, 'stranger'))
  const delegation = { max_depth: 0, may_delegate: false }
  const narrowed = { nonce: BELOW, parent: stranger.writ, delegation, budget: { calls: '2' } }
  const opened = { dfid: BELOW, parent_dfid: top }
  const writ = grant(builder, writBody(builder, narrowed), opened)
  const done = dispatch(builder, writ, { dfid: BELOW })
  commit(builder, done.intent, [], NOTHING)
  return { ...it, done, stranger }
}

test('an agent chooses about a flow below its own', async () => {
  const it = below(CHOOSER)
  undo({ ...it, chosen: choose(it.builder, it.stranger, BELOW) })
  assert.deepEqual(await why(it), [])
  const above = below(CHOOSER)
  undo({ ...above, chosen: choose(above.builder, above.stranger, CHOOSER) })
  assert.deepEqual(await why(above), [], 'for all that is below it')
  const aside = below(CHOOSER)
  undo({ ...aside, chosen: choose(aside.builder, aside.stranger, DFID) })
  assert.deepEqual(await why(aside), [OTHER_EFFECT], 'that flow is not above')
})

test('where the flow above was erased nobody can say that the choice was not its own', async () => {
  for (const isErased of [true, false]) {
    const it = below(ABOVE)
    const { builder } = it
    const hash = deployAgent(builder, 'outsider')
    const chosen = choose(builder, open(builder, CHOOSER, 'outsider', hash), BELOW)
    undo({ ...it, chosen })
    const leaf = builder.entries.length - 1
    if (isErased) eraseFlow(builder, ABOVE)
    const wanted = isErased ? [] : [`${leaf}: ${NOT_RESPONSIBLE}`]
    assert.deepEqual(await toldOfUndoing(it), wanted, String(isErased))
  }
})

test('a choice about a flow that was erased holds for what is below it', async () => {
  for (const isErased of [true, false]) {
    const it = below(ABOVE)
    const { builder } = it
    const hash = deployAgent(builder, 'outsider')
    undo({ ...it, chosen: choose(builder, open(builder, CHOOSER, 'outsider', hash), ABOVE) })
    const leaf = builder.entries.length - 1
    if (isErased) eraseFlow(builder, ABOVE)
    const wanted = isErased ? [] : [`${leaf}: ${NOT_RESPONSIBLE}`]
    assert.deepEqual(await toldOfUndoing(it), wanted, String(isErased))
  }
})

const SETTLED = { status: 'COMPENSATED', details: { ...WORD, outcome: 'applied' } }

/** A person settles what was done. */
function settle({ builder, done }: Stage): void {
  saga(builder, 'PARTIAL_SUCCESS_DIRTY')
  saga(builder, SETTLED.status, { settles: [idOf(done)], details: SETTLED.details })
}

test('while it is being undone nobody settles it; when that failed or was given back they may', async () => {
  const underWay = 'it settles what is being undone'
  for (const status of ['UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW', 'FAILED']) {
    const it = stage()
    settleAs(it.builder, undoing(it).intent, status)
    settle(it)
    assert.deepEqual(await why(it), status === 'FAILED' ? [] : [underWay], status)
  }
  const given = stage()
  abandon(given.builder, undoing(given, { accepted: true }))
  settle(given)
  assert.deepEqual(await why(given), [])
  const waiting = stage()
  undoing(waiting, { accepted: true })
  settle(waiting)
  assert.deepEqual(await why(waiting), [underWay])
})

test('a commit undoes what its intent says, once', async () => {
  const silent = stage()
  commit(silent.builder, undoing(silent).intent, [], NOTHING)
  const names = 'it names another effect to undo than its intent does'
  assert.deepEqual(await why(silent), [names])
  const unknown = stage()
  const { intent } = undoing(unknown)
  const compensates = idOf(unknown.done)
  const named = { ...NOTHING, compensates }
  commit(unknown.builder, { ...intent, intent_id: `sha256:${'7'.repeat(64)}` }, [], named)
  assert.deepEqual(await why(unknown), [names], 'of an intent that nobody knows')
  const twice = stage()
  undone(twice)
  const again = undoing(twice)
  commit(twice.builder, again.intent, [], named)
  assert.deepEqual(await why(twice), ['it was undone before'])
})

test('a choice that cannot be read was not erased', async () => {
  const it = stage()
  const { builder } = it
  const place = { dfid: CHOOSER, authority_seq: builder.authoritySeq() }
  builder.append('main', 'dispatch', { mood: 'good' }, place)
  builder.append('main', 'settle', { mood: 'good' }, { dfid: CHOOSER })
  undoing(it, { compensation: { chosen: `sha256:${'7'.repeat(64)}`, dfid: CHOOSER } })
  assert.deepEqual(await why(it), ['nobody decided to undo it'])
})
