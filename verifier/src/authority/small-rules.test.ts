/** The rules of this room that are small enough to be asked by themselves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ApprovalPayload,
  AUTHORITY,
  type ContractBody,
  createKeySet,
  ERASURE,
  formatNote,
  type JsonObject,
  type SignedIntent,
} from 'rubicon-kernel'
import { createKept } from '../compact-records/parts.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  AGENT,
  contract,
  contractHash,
  DFID,
  sampleLedger,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { findAskedStep, formatAskedDecision, isAsked, spawnAsked } from './asked-steps.ts'
import {
  type AuthorityPayload,
  type AuthorityState,
  createAuthorityState,
  foldAuthorityEntry,
} from './authority-state.ts'
import { toBudgetNumber } from './budget-number.ts'
import { findUsageProblems } from './counted-usage.ts'
import { findStoppedDelegation, findStoppedStatus } from './delegation.ts'
import { findPlaceProblems } from './in-its-flow.ts'
import { createWrits } from './writs.ts'

const AT = '2026-02-01T09:00:00.000Z'
const WRIT = `sha256:${'a'.repeat(64)}` as const
const CHILD = '019c1200-0000-7000-8000-0000000000ca'

function createState({ whole = true, seesFlows = true } = {}): AuthorityState {
  return createAuthorityState(createWrits(), createKeySet(), whole, seesFlows, createKept())
}

function fold(state: AuthorityState, kind: AuthorityPayload['kind'], body: object): string[] {
  const read = { kind, payload: { body } } as unknown as AuthorityPayload
  return foldAuthorityEntry(state, read, AT)
}

function parseStep(step: JsonObject): SignedIntent {
  return step as unknown as SignedIntent
}

/** As far as these rules look at it. */
function parseEntry(envelope: JsonObject, evidence: JsonObject | null): ReadEntry {
  const payload = evidence === null ? null : { kind: 'evidence', payload: evidence }
  return { envelope, payload } as unknown as ReadEntry
}

function open(state: AuthorityState, dfid: string, agent = AGENT, trajectory = 'main'): void {
  const flow = {
    trajectory,
    agent,
    contract: contractHash,
    writ: WRIT,
    isOneStep: false,
    event: null,
    topic: null,
  }
  state.flows.set(dfid, flow)
}

test('a step asks for the instance that it names, for its agent and until the end that it names', () => {
  const until = { at: AT }
  const params = { class: 'worker', instance_id: 'worker-1', until }
  const step = { policy_kind: 'SPAWN_INSTANCE', agent_id: AGENT, params }
  const asked = spawnAsked({ spawner: AGENT, until, ends_at: AT }, 'worker', 'worker-1')
  assert.equal(findAskedStep(parseStep(step)), asked)
  const others: readonly JsonObject[] = [
    { ...step, agent_id: 'another' },
    { ...step, params: { ...params, class: 'another' } },
    { ...step, params: { ...params, instance_id: 'worker-2' } },
    { ...step, params: { ...params, until: { at: '2026-02-01T10:00:00.000Z' } } },
    { ...step, params: {} },
  ]
  for (const other of others)
    assert.notEqual(findAskedStep(parseStep(other)), asked, JSON.stringify(other))
  assert.equal(findAskedStep(parseStep({ ...step, policy_kind: 'BUY' })), null)
})

test('a decision of an agent is what its step says, but for what the runtime adds', () => {
  const said = { request_id: `${DFID}:1`, decision: 'OVERRIDE', justification: 'it is due' }
  const body = { ...said, dfid: DFID, approver: 'agent:lead' } as unknown as ApprovalPayload['body']
  const decide = (agent_id: string, params: JsonObject): string | null =>
    findAskedStep(parseStep({ policy_kind: 'RESOLVE_ESCALATION', agent_id, params }))
  const asked = formatAskedDecision('lead', body)
  assert.equal(decide('lead', said), asked)
  assert.equal(decide('lead', { ...said, lifts: [] }), asked)
  assert.notEqual(decide('lead', { ...said, lifts: ['kind'] }), asked)
  assert.notEqual(decide('lead', { ...said, decision: 'ABORT' }), asked)
  assert.notEqual(decide('another', said), asked)
})

test('what a step asked for was asked; each step that was erased may have asked for one thing', () => {
  const state = createState()
  state.asked.add('this')
  assert.equal(isAsked(state, 'this'), true)
  assert.equal(isAsked(state, 'that'), false)
  state.erasedDispatches = 1
  assert.equal(isAsked(state, 'this'), true)
  assert.equal(isAsked(state, 'that'), true)
  assert.equal(isAsked(state, 'that'), false)
  assert.equal(isAsked(createState({ seesFlows: false }), 'that'), true)
})

test('an epoch follows the last one, and that of the note which was kept outside', () => {
  const builder = new LedgerBuilder()
  const note = (epoch: string): string => {
    const { builder } = sampleLedger()
    return builder.note().replaceAll(/\/0([\n ])/g, `/${epoch}$1`)
  }
  const restore = (state: AuthorityState, epoch: number, checkpoint: string): string[] =>
    fold(state, 'anchor', { action: 'accept_restore', epoch, checkpoint })
  const unreadable = formatNote('no checkpoint\n', [
    { name: 'x', keyId: new Uint8Array(4), signature: builder.operator.signRaw(new Uint8Array(1)) },
  ])
  for (const checkpoint of ['x', unreadable, note('x7'), note('7x'), note('07'), note('0')])
    assert.deepEqual(restore(createState(), 1, checkpoint), [], checkpoint)
  assert.deepEqual(restore(createState(), 7, note('7')), ['epoch 7 follows epoch 7'])
  assert.deepEqual(restore(createState(), 0, 'x'), ['epoch 0 follows epoch 0'])
  const state = createState()
  assert.deepEqual(restore(state, 3, 'x'), [])
  assert.equal(state.epoch, 3)
  assert.deepEqual(restore(state, 2, 'x'), ['epoch 2 follows epoch 3'])
  assert.equal(state.epoch, 3)
  assert.deepEqual(fold(state, 'anchor', { action: 'confirm_clock' }), [])
  assert.equal(state.epoch, 3)
})

test('an agent moves from the status that it has, as its kind may; a bundle may have left out how', () => {
  const body = { agent_id: AGENT, actor: 'operator' }
  const begin = { ...body, from: null, to: 'INITIALIZING' }
  const suspend = { ...body, from: 'ACTIVE', to: 'SUSPENDED' }
  const whole = createState()
  assert.deepEqual(fold(whole, 'lifecycle', begin), [])
  assert.deepEqual(fold(whole, 'lifecycle', suspend), [
    'agent `agent-1` was INITIALIZING, not ACTIVE',
  ])
  const bundle = createState({ whole: false })
  assert.deepEqual(fold(bundle, 'lifecycle', suspend), [])
  // Instances are begun by the runtime, and classes by an operator.
  const byRuntime = { ...begin, actor: 'runtime' }
  const wrong = ['runtime cannot move an agent from null to INITIALIZING']
  assert.deepEqual(fold(createState({ whole: false }), 'lifecycle', byRuntime), [])
  assert.deepEqual(fold(createState(), 'lifecycle', byRuntime), wrong)
  const known = createState({ whole: false })
  const deployed = { action: 'deploy', contract, contract_hash: contractHash }
  known.contracts.add(deployed as unknown as ContractBody)
  assert.deepEqual(fold(known, 'lifecycle', byRuntime), wrong)
})

test('what cannot be of people and sources is found in a whole ledger, and not in a bundle', () => {
  const link = { action: 'retire', source_id: 'feed' }
  const read = { kind: 'source', payload: { body: link } } as unknown as AuthorityPayload
  assert.equal(foldAuthorityEntry(createState(), read, AT).length, 1)
  assert.deepEqual(foldAuthorityEntry(createState({ whole: false }), read, AT), [])
  const register = { action: 'register', person_id: 'p_ann', identities: [] }
  for (const whole of [true, false]) {
    const state = createState({ whole })
    assert.deepEqual(fold(state, 'person', register), [])
    assert.equal(fold(state, 'person', register).length, whole ? 1 : 0)
  }
})

test('an amount that cannot be counted is more than everybody has', () => {
  for (let time = 0; time < 2; time += 1) {
    assert.equal(toBudgetNumber('calls', '3'), 3)
    assert.equal(toBudgetNumber('calls', '4'), 4)
    assert.equal(toBudgetNumber('calls', 'many'), Number.POSITIVE_INFINITY)
    assert.equal(toBudgetNumber('calls', '-1'), Number.POSITIVE_INFINITY)
  }
})

test('what was used is counted against the writ of its flow, as many tokens as the model used', () => {
  const state = createState()
  open(state, DFID)
  state.writs.add(WRIT, writBody(new LedgerBuilder()))
  const usage = { input_tokens: 5, output_tokens: 2 }
  const answer = { source: 'model', finding: 'answered', writ_id: WRIT, usage }
  const elsewhere = 'what was used is counted against another writ'
  const tokens = 'other tokens are counted than the model used'
  const said = (evidence: JsonObject, dfid: string | undefined = DFID): string[] =>
    findUsageProblems(state, parseEntry(dfid === undefined ? {} : { dfid }, evidence))
  const other = `sha256:${'b'.repeat(64)}`
  assert.deepEqual(said({ ...answer, used: { tokens: '7' } }), [])
  assert.deepEqual(said({ ...answer, used: { tokens: '3' } }), [tokens])
  assert.deepEqual(said({ ...answer, used: {} }), [tokens])
  assert.deepEqual(said({ ...answer, used: { tokens: 7 } }), [tokens])
  assert.deepEqual(said({ ...answer, used: {}, usage: { input_tokens: 0, output_tokens: 0 } }), [])
  assert.deepEqual(said({ ...answer, used: {}, usage: null }), [])
  assert.deepEqual(said({ ...answer, used: {}, finding: 'refused' }), [])
  assert.deepEqual(said({ ...answer, used: {}, source: 'agent' }), [])
  assert.deepEqual(said({ ...answer, used: { tokens: '8' }, writ_id: other }), [elsewhere, tokens])
  assert.deepEqual(said({ ...answer, used: { tokens: '7' }, writ_id: other }), [elsewhere])
  const unknown = { ...answer, used: { tokens: '7' }, writ_id: other }
  assert.deepEqual(said(unknown, CHILD), [], 'how that flow was opened is not known')
  assert.deepEqual(findUsageProblems(state, parseEntry({}, unknown)), [], 'it is of no flow')
  assert.deepEqual(said({ ...answer, writ_id: other }), [], 'nothing was used')
  assert.deepEqual(findUsageProblems(state, parseEntry({ dfid: DFID }, null)), [])
})

test('an agent is stopped by itself or with its class', () => {
  const state = createState()
  const own = { ...contract, agent_id: 'agent-1-a', instance_of: AGENT }
  const spawned = { action: 'spawn', contract: own, contract_hash: WRIT, of: contractHash }
  state.contracts.add(spawned as unknown as ContractBody)
  const stopped = (ofClass: string, ofInstance: string): (string | undefined)[] => {
    fold(state, 'lifecycle', { agent_id: AGENT, from: null, to: ofClass, actor: 'operator' })
    fold(state, 'lifecycle', { agent_id: 'agent-1-a', from: null, to: ofInstance, actor: 'x' })
    return [findStoppedStatus(state, AGENT), findStoppedStatus(state, 'agent-1-a')]
  }
  assert.deepEqual(stopped('ACTIVE', 'ACTIVE'), [undefined, undefined])
  assert.deepEqual(stopped('SUSPENDED', 'ACTIVE'), ['SUSPENDED', 'SUSPENDED'])
  assert.deepEqual(stopped('RETIRED', 'ACTIVE'), ['RETIRED', 'RETIRED'])
  assert.deepEqual(stopped('ACTIVE', 'SUSPENDED'), [undefined, 'SUSPENDED'])
  assert.deepEqual(stopped('INITIALIZING', 'RETIRED'), [undefined, 'RETIRED'])
})

test('nothing is done under a writ whose holders were stopped, named or of the flow', () => {
  const builder = new LedgerBuilder()
  const named = `sha256:${'c'.repeat(64)}` as const
  const state = createState()
  state.writs.add(WRIT, writBody(builder, { subject: 'holder' }))
  state.writs.add(named, writBody(builder, { subject: 'helper' }))
  state.statuses.set('holder', 'SUSPENDED')
  state.statuses.set('helper', 'RETIRED')
  state.statuses.set(AGENT, 'SUSPENDED')
  const said = (agent: string, writ: typeof WRIT, bearer = DFID): string[] =>
    findStoppedDelegation(state, { agent, writ, bearer })
  const [holder, helper] = [
    'agent `holder`, who delegated it, is SUSPENDED',
    'agent `helper`, who delegated it, is RETIRED',
  ]
  assert.deepEqual(said(AGENT, named), [helper], 'of a flow that nobody knows')
  open(state, DFID)
  assert.deepEqual(said(AGENT, named), [helper, holder])
  assert.deepEqual(said(AGENT, WRIT), [holder])
  assert.deepEqual(said('holder', WRIT), [], 'of the agent itself others speak')
})

test('what is said of a flow stands in it; what is said of nothing stands anywhere', () => {
  const state = createState()
  open(state, DFID)
  const said = (
    envelope: JsonObject,
    evidence: JsonObject | null,
    whole: AuthorityState = state,
  ): string[] =>
    findPlaceProblems(
      whole,
      parseEntry({ trajectory: 'main', kind: 'evidence', ...envelope }, evidence),
    )
  const saga = { source: 'saga' }
  assert.deepEqual(said({ dfid: DFID }, saga), [])
  assert.deepEqual(said({ dfid: DFID, trajectory: 'aside' }, saga), [
    'its flow stands in another trajectory',
  ])
  for (const trajectory of [AUTHORITY, ERASURE])
    assert.deepEqual(said({ dfid: DFID, trajectory }, saga), [], trajectory)
  for (const source of ['model', 'adviser', 'saga', 'review'])
    assert.deepEqual(said({}, { source }), ['it names no flow'], source)
  assert.deepEqual(said({}, { source: 'agent', finding: 'closed' }), ['it names no flow'])
  assert.deepEqual(said({}, { source: 'agent' }), [])
  assert.deepEqual(said({}, { source: 'monitor', finding: 'tripped' }), [])
  assert.deepEqual(said({}, null), [])
  assert.deepEqual(said({ dfid: CHILD }, saga), ['its flow was never opened'])
  assert.deepEqual(said({ dfid: CHILD, kind: 'settle' }, saga), [])
  assert.deepEqual(said({ dfid: CHILD }, saga, createState({ whole: false })), [])
  state.writs.erase(CHILD)
  assert.deepEqual(said({ dfid: CHILD }, saga), [])
})
