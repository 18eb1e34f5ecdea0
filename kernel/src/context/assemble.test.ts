import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import { toMission } from '../contract/mission.ts'
import type { StateFact } from '../fact/state-fact.ts'
import { LIMITS } from '../limits.ts'
import { POLICY_SCHEMA_VERSION } from '../proposal/schema-version.ts'
import { assembleContext } from './assemble.ts'
import {
  AGENT,
  assembled,
  at,
  contextInput,
  countTokens,
  DFID,
  decision,
  HOUR,
  NOW,
  note,
  piece,
  sha256,
} from './context.test-support.ts'
import { CONTEXT_SCHEMA, type Snapshot, sealSnapshot } from './snapshot.ts'

const textsOf = (items: readonly { readonly text: string }[] | undefined): readonly string[] =>
  (items ?? []).map(({ text }) => text)
const summariesOf = ({ memory = [] }: Snapshot): readonly string[] =>
  memory.map(({ summary }) => summary)
const snapshotOf = (...given: Parameters<typeof contextInput>): Snapshot =>
  assembled(contextInput(...given)).snapshot.value

test('without layers the snapshot has the members, and the bytes, that it always had', () => {
  const input = contextInput()
  const { snapshot } = assembled(input)
  const before: Snapshot = {
    dfid: DFID,
    agent_id: AGENT,
    schema_version: CONTEXT_SCHEMA,
    trigger: 'price moved',
    contract_hash: input.contract_hash,
    mission_context_hash: input.mission_context_hash,
    policy_kinds: input.contract.permissions.policy_kinds,
    state: input.state,
    world: input.world,
  }
  assert.deepEqual(snapshot, sealSnapshot(before, sha256))
})

test('the working context is the snapshot with its id, its time and what its hashes stand for', () => {
  const input = contextInput({
    session: [note('1', 9)],
    memory: [decision('1', 8)],
    artifacts: [piece('rulebook', 0)],
    limits: { memoryEntries: 0 },
  })
  const { snapshot, working } = assembled(input)
  const { policy_kinds, ...shown } = snapshot.value
  assert.deepEqual(working, {
    ...shown,
    memory: [],
    snapshot_id: snapshot.address,
    compiled_at: NOW,
    mission: input.contract.mission,
    constraints: toMission(input.contract).constraints,
    policy_schema: { schema_version: POLICY_SCHEMA_VERSION, policy_kinds },
  })
  assert.deepEqual(working.trimmed, { memory: 1 })
})

test('where nothing was weighed, the working context still has every member', () => {
  const { working } = assembled(contextInput())
  const { session, memory, artifacts, trimmed, budget } = working
  assert.deepEqual({ session, memory, artifacts, trimmed }, EMPTY)
  assert.equal(budget.tokens, LIMITS.contextTokens)
  assert.ok(budget.used > 0)
})

const EMPTY = { session: [], memory: [], artifacts: [], trimmed: {} }

test('the time at which it was compiled is not in the id, as long as the window holds the same', () => {
  const session = [note('1', 9)]
  const early = assembled(contextInput({ session, now: at(10) }))
  const late = assembled(contextInput({ session, now: at(11) }))
  assert.equal(early.snapshot.address, late.snapshot.address)
  assert.notEqual(early.working.compiled_at, late.working.compiled_at)
})

test('a budget that is not the usual one is in the snapshot, also without layers', () => {
  const usual = snapshotOf({ limits: { tokens: LIMITS.contextTokens } })
  const larger = snapshotOf({ limits: { tokens: LIMITS.contextTokens + 1 } })
  assert.equal(usual.budget, undefined)
  assert.equal(larger.budget?.tokens, LIMITS.contextTokens + 1)
})

test('each layer alone brings itself and the budget into the snapshot', () => {
  const layers = [
    { session: [note('1', 9)] },
    { memory: [decision('1', 9)] },
    { artifacts: [piece('rulebook', 0)] },
  ]
  for (const layer of layers) {
    const { budget, trimmed, ...snapshot } = snapshotOf(layer)
    const [name = ''] = Object.keys(layer)
    assert.ok(name in snapshot)
    assert.ok(budget !== undefined)
    assert.equal(trimmed, undefined)
  }
})

test('State outside of what the contract reads is not shown, only named', () => {
  const snapshot = snapshotOf({}, { contract: { permissions: { reads: ['market.*', 'x'] } } })
  assert.deepEqual(
    snapshot.state.map(({ path }) => path),
    ['market.price.ETH-USD'],
  )
  assert.deepEqual(snapshot.trimmed, {
    state: ['accounts.settlement', `agent.${AGENT}.drawdown_pct`],
    world: ['position.ETH-USD'],
  })
  assert.ok(snapshot.budget !== undefined)
})

test('World is read under the names of its resources', () => {
  const reads = ['accounts.settlement', 'position.*']
  const snapshot = snapshotOf({}, { contract: { permissions: { reads } } })
  assert.deepEqual(
    snapshot.state.map(({ path }) => path),
    ['accounts.settlement'],
  )
  assert.equal(snapshot.world.length, 1)
  assert.equal(snapshot.trimmed?.world, undefined)
})

test('a name without a star is that name only', () => {
  const reads = ['market.price']
  const snapshot = snapshotOf({}, { contract: { permissions: { reads } } })
  assert.deepEqual(snapshot.state, [])
})

test('a contract without reads restricts nothing', () => {
  const { state, trimmed } = snapshotOf({}, { contract: { permissions: { reads: [] } } })
  assert.equal(state.length, contextInput().state.length)
  assert.equal(trimmed, undefined)
})

test('a request is shown to the agent that is asked, and to nobody else, whatever they may read', () => {
  const request = (id: string): StateFact => {
    const path = `escalation.${id}`
    const at = '2026-01-01T00:00:00.000Z'
    return { path, value: id, source: 'x', label: 'trusted', observed_at: at, version: '1' }
  }
  const state = [request('mine'), request('theirs')]
  for (const reads of [[], ['*'], ['escalation.*'], ['market.*']]) {
    const contract = { permissions: { reads } }
    const asked = snapshotOf({ state, asked: ['escalation.mine'] }, { contract })
    assert.deepEqual(asked.state, [request('mine')])
    const other = snapshotOf({ state }, { contract })
    assert.deepEqual(other.state, [])
    assert.ok(!JSON.stringify(other).includes('escalation.'), 'nor is it named')
  }
})

test('the window reaches back exactly so far', () => {
  const session = [note('1', 7), note('2', 8), note('3', 9)]
  const shown = snapshotOf({ session, now: at(10), limits: { windowMs: 2 * HOUR } })
  assert.deepEqual(textsOf(shown.session), ['note 2', 'note 3'])
  assert.deepEqual(shown.trimmed, { session: 1 })
  const less = snapshotOf({ session, now: at(10), limits: { windowMs: 2 * HOUR - 1 } })
  assert.deepEqual(textsOf(less.session), ['note 3'])
})

test('the usual window is a day', () => {
  const old = note('1', 0, { at: '2026-03-01T10:00:00.000Z' })
  const older = note('0', 0, { at: '2026-03-01T09:59:59.999Z' })
  const shown = snapshotOf({ session: [older, old], now: at(10) })
  assert.deepEqual(textsOf(shown.session), ['note 1'])
})

test('of the session the last thirty are shown, of memory the last ten, oldest first', () => {
  const hours = [...Array(12).keys()]
  const places = [...Array(LIMITS.contextSessionEvents + 2).keys()]
  const key = (place: number): string => `n${String(place).padStart(2, '0')}`
  const session = places.map((place) => note(key(place), 11)).toReversed()
  const memory = hours.map((hour) => decision(`d${hour}`, hour)).toReversed()
  const shown = snapshotOf({ session, memory, now: at(12) })
  const last = hours.slice(2)
  assert.deepEqual(
    textsOf(shown.session),
    places.slice(2).map((place) => `note ${key(place)}`),
  )
  assert.deepEqual(
    summariesOf(shown),
    last.map((hour) => `decision d${hour}`),
  )
  assert.deepEqual(shown.trimmed, { session: 2, memory: 2 })
})

test('events of one moment keep the order of their keys', () => {
  const session = [note('b', 9, { text: 'second' }), note('a', 9, { text: 'first' })]
  assert.deepEqual(textsOf(snapshotOf({ session }).session), ['first', 'second'])
})

test('what was said in an earlier decision is shown, and stands in the snapshot by its address', () => {
  const said = { salt: 'c2FsdA==', params: { usd: '5' }, rationale: 'cheap' }
  const { snapshot, working } = assembled(contextInput({ memory: [decision('1', 9, { said })] }))
  assert.deepEqual(working.memory[0]?.said, { params: { usd: '5' }, rationale: 'cheap' })
  assert.equal(snapshot.value.memory?.[0]?.said, computeAddress('memory', said, sha256))
  assert.equal(snapshot.text.includes('cheap'), false)
})

test('memory is older than any window', () => {
  const memory = [decision('1', 0, { at: '2020-01-01T00:00:00.000Z' })]
  assert.equal(summariesOf(snapshotOf({ memory })).length, 1)
})

test('the five best pieces are shown, best first, equals by document and number', () => {
  const artifacts = [
    piece('b', 1, { score: 7 }),
    piece('a', 2, { score: 7 }),
    piece('a', 1, { score: 7 }),
    piece('c', 0, { score: 9 }),
    piece('d', 0, { score: 1 }),
    piece('e', 0, { score: 8 }),
  ]
  const shown = snapshotOf({ artifacts })
  assert.deepEqual(
    shown.artifacts?.map(({ artifact, chunk }) => `${artifact}${chunk}`),
    ['c0', 'e0', 'a1', 'a2', 'b1'],
  )
  assert.deepEqual(shown.trimmed, { artifacts: 1 })
})

test('mission, constraints, trigger, State and World are counted, the layers as they were stored', () => {
  const counted: string[] = []
  const input = contextInput({
    session: [note('1', 9)],
    memory: [decision('1', 9)],
    artifacts: [piece('rulebook', 0)],
    countTokens: (text) => {
      counted.push(text)
      return 100
    },
  })
  const { working } = assembled(input)
  assert.equal(working.budget.used, 400 + 10 + 20 + 40)
  assert.equal(counted.length, 4)
  for (const text of [input.contract.mission, 'price moved', 'market.price', 'position'])
    assert.ok(counted.some((one) => one.includes(text)))
})

test('what just fits is shown, and a token less leaves out the worst piece', () => {
  const layers = {
    session: [note('1', 9), note('2', 9)],
    memory: [decision('1', 9)],
    artifacts: [piece('a', 0), piece('a', 1)],
  }
  const { budget } = assembled(contextInput(layers)).working
  const exact = snapshotOf({ ...layers, limits: { tokens: budget.used } })
  assert.equal(exact.trimmed, undefined)
  const less = snapshotOf({ ...layers, limits: { tokens: budget.used - 1 } })
  assert.deepEqual(less.trimmed, { artifacts: 1 })
  assert.deepEqual(
    less.artifacts?.map(({ chunk }) => chunk),
    [0],
  )
})

test('CONTEXT_OVER_BUDGET: what is never left out does not fit', () => {
  const layers = {
    session: [note('1', 8), note('2', 9)],
    memory: [decision('1', 9)],
    artifacts: [piece('a', 0)],
  }
  const least = assembled(contextInput()).working.budget.used + 10
  const fits = snapshotOf({ ...layers, limits: { tokens: least } })
  assert.deepEqual(textsOf(fits.session), ['note 2'])
  assert.deepEqual(fits.trimmed, { session: 1, memory: 1, artifacts: 1 })

  const refused = assembleContext(contextInput({ ...layers, limits: { tokens: least - 1 } }))
  assert.ok(!refused.ok)
  assert.equal(refused.error.code, 'CONTEXT_OVER_BUDGET')
  assert.deepEqual(refused.error.meta, { needed: least, tokens: least - 1 })
})

test('CONTEXT_OVER_BUDGET: few tokens may be many bytes, and those are bounded too', () => {
  const size = (length: number): ReturnType<typeof assembleContext> =>
    assembleContext(contextInput({ trigger: 'x'.repeat(length), countTokens: () => 1 }))
  const short = size(1)
  assert.ok(short.ok)
  const around = short.value.snapshot.text.length - 1
  assert.ok(size(LIMITS.snapshotBytes - around).ok, 'as many bytes as there may be')
  const refused = size(LIMITS.snapshotBytes - around + 1)
  assert.ok(!refused.ok)
  assert.equal(refused.error.code, 'CONTEXT_OVER_BUDGET')
})

test('CONTEXT_SCHEMA_UNSUPPORTED: nothing is assembled for an agent that cannot read it', () => {
  for (const [context_schema, accepted] of [
    ['1.x', true],
    ['2.x', false],
  ] as const) {
    const result = assembleContext(contextInput({}, { contract: { context_schema } }))
    assert.equal(
      result.ok ? null : result.error.code,
      accepted ? null : 'CONTEXT_SCHEMA_UNSUPPORTED',
    )
  }
})

test('times and counts that are none are bugs of whoever stored them', () => {
  const broken: readonly Parameters<typeof contextInput>[0][] = [
    { now: 'noon' },
    { session: [note('1', 9, { at: 'yesterday' })] },
    { memory: [decision('1', 9, { tokens: -1 })] },
    { artifacts: [piece('a', 0, { tokens: 0.5 })] },
    { countTokens: (text) => countTokens(text) + 0.5 },
  ]
  for (const patch of broken) {
    assert.throws(() => assembleContext(contextInput(patch)), /invariant broken/)
  }
})

const declared = (working_context: JsonObject) => ({ contract: { working_context } })

test('finding 26d: layers that the contract does not name are not shown', () => {
  const layers = {
    session: [note('1', 9)],
    memory: [decision('1', 9)],
    artifacts: [piece('a', 0)],
  }
  const shown = snapshotOf(layers, declared({ layers: ['memory'] }))
  assert.deepEqual(
    [shown.state, shown.world, shown.session, shown.artifacts, shown.memory?.length],
    [[], [], undefined, undefined, 1],
  )
  assert.deepEqual(shown.trimmed, { session: 1, artifacts: 1 })
  const [fact] = contextInput().state
  assert.ok(fact !== undefined)
  const asked = snapshotOf({ asked: [fact.path] }, declared({ layers: ['memory'] }))
  assert.deepEqual(asked.state, [fact], 'what it is asked to decide is shown in any case')
})

test('finding 26d: limits of the contract and of the runtime both hold', () => {
  const session = [1, 2, 3].map((hour) => note(String(hour), hour))
  const limits = { session: 2, tokens: 5_000 }
  const shown = snapshotOf({ session, now: at(4) }, declared({ limits }))
  assert.deepEqual([shown.session?.length, shown.budget?.tokens], [2, 5_000])
  const less = snapshotOf({ session, now: at(4), limits: { tokens: 4_000 } }, declared({ limits }))
  assert.equal(less.budget?.tokens, 4_000)
})

test('finding 26d: CONTEXT_INCOMPLETE: nothing is assembled without State that is required', () => {
  const [fact] = contextInput().state
  assert.ok(fact !== undefined)
  assert.ok(assembleContext(contextInput({}, declared({ requires: [fact.path] }))).ok)
  const refused = assembleContext(contextInput({}, declared({ requires: [fact.path, 'no.such'] })))
  assert.ok(!refused.ok)
  assert.deepEqual(
    [refused.error.code, refused.error.meta],
    ['CONTEXT_INCOMPLETE', { missing: ['no.such'] }],
  )
})
