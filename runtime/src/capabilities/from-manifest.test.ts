import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type JsonObject,
  type JsonValue,
  parseContract,
  parseManifest,
  type SignedIntent,
  type ToolManifest,
} from 'rubicon-kernel'
import { sha256 } from '../adapters/system/sha256.ts'
import { AGENT, flowStage } from '../engine/flow/flow-stage.test-support.ts'
import { CONTRACT } from '../evidence/example.test-support.ts'
import { type Capability, type EffectIo, NotApplied } from '../ports/capability.ts'
import type { ManifestAnswer, ManifestCall, ManifestHands } from '../tools/hands.ts'
import { toCapability } from './from-manifest.ts'
import { registerCapability } from './register.ts'

const REFUND: JsonObject = {
  manifest: 'rubicon/tool/1',
  kind: 'REFUND',
  version: '1',
  summary: 'pays an order back',
  params: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'string' } },
    required: ['order', 'amount'],
    additionalProperties: false,
  },
  result: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  effect: 'keyed',
  reversible: true,
  risk: 'low',
  measures: { amount: { param: '/amount' } },
  postcondition: [
    { require: { eq: [{ result: '/state' }, { const: 'done' }] }, else: 'it is not done' },
  ],
  delta: [
    { op: 'create', kind: 'refund', id: '{/order}', value: { id: { $: { result: '/id' } } } },
  ],
  compensations: {
    REVERT: {
      http: {
        method: 'POST',
        url: 'https://pay.example/undo/{/order}',
        idempotency_header: 'Idempotency-Key',
        applied: [200],
      },
    },
  },
  idempotency: { carrier: 'Idempotency-Key', window_s: 3_600 },
  probe: {
    absence_authoritative: true,
    max_late_arrival_s: 1,
    executor: {
      http: { method: 'GET', url: 'https://pay.example/{/order}', applied: [200, 404] },
    },
    applied: { eq: [{ result: '/state' }, { const: 'done' }] },
    absent: { eq: [{ status: true }, { const: 404 }] },
  },
  executor: {
    http: {
      method: 'POST',
      url: 'https://pay.example/{/order}',
      idempotency_header: 'Idempotency-Key',
      applied: [200],
    },
  },
}

function manifestOf(patch: JsonObject = {}): ToolManifest {
  const parsed = parseManifest({ ...REFUND, ...patch })
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parsed.value
}

/** Hands that answer as they are told, and write down what they were asked. */
function handsThat(
  answer: (call: ManifestCall) => ManifestAnswer,
  calls: ManifestCall[] = [],
): ManifestHands {
  return {
    async execute(_executor, call) {
      calls.push(call)
      return answer(call)
    },
  }
}

const DONE: ManifestAnswer = { status: 200, result: { id: 'r1', state: 'done' }, receipt: 'req-1' }
const intent = { params: { order: 'o1', amount: '5' } } as unknown as SignedIntent
const io: EffectIo = {
  idempotencyKey: 'k',
  send: 1,
  fence: 1,
  signal: new AbortController().signal,
  world: () => undefined,
}

test('the answer of the executor is the result, and the delta follows from it', async () => {
  const calls: ManifestCall[] = []
  const capability = toCapability(
    manifestOf(),
    handsThat(() => DONE, calls),
  )
  const effect = await capability.execute(intent, io)
  assert.deepEqual(JSON.parse(JSON.stringify(effect)), {
    result: { id: 'r1', state: 'done' },
    delta: [{ op: 'create', kind: 'refund', id: 'o1', expected_version: 0, value: { id: 'r1' } }],
    receipt: 'req-1',
  })
  assert.deepEqual(calls, [
    { kind: 'REFUND', agent_id: intent.agent_id, params: intent.params, purpose: 'effect' },
  ])
  assert.equal(capability.postcondition?.(intent, effect), null)
  assert.equal(capability.postcondition?.(intent, { result: { state: 'lost' } }), 'it is not done')
  assert.match(String(capability.postcondition?.(intent, {})), /`result\/state` is absent/)
})

test('what was applied and gives no delta is uncertain, and what the hands throw is theirs', async () => {
  const strange = toCapability(
    manifestOf(),
    handsThat(() => ({ status: 200, result: null })),
  )
  await assert.rejects(
    async () => strange.execute(intent, io),
    (error) => {
      return error instanceof Error && !(error instanceof NotApplied)
    },
  )
  const refusing = toCapability(
    manifestOf(),
    handsThat(() => {
      throw new NotApplied('closed')
    }),
  )
  await assert.rejects(async () => refusing.execute(intent, io), NotApplied)
})

test('a probe finds what its conditions say, and nothing where neither holds', async () => {
  const ask = async (status: number, result: JsonValue): Promise<string> => {
    const { probe } = toCapability(
      manifestOf(),
      handsThat(() => ({ status, result })),
    )
    const answer = await probe?.ask(intent, io)
    return `${answer?.finding} ${answer?.effect === undefined ? 'without' : 'with'} an effect`
  }
  assert.equal(await ask(200, { id: 'r1', state: 'done' }), 'applied with an effect')
  assert.equal(await ask(404, null), 'absent without an effect')
  assert.equal(await ask(200, { id: 'r1', state: 'queued' }), 'inconclusive without an effect')
})

test('a compensation is sent for what it undoes, and leaves World to the recorded inverse', async () => {
  const calls: ManifestCall[] = []
  const { compensate } = toCapability(
    manifestOf(),
    handsThat(() => DONE, calls),
  )
  assert.deepEqual(await compensate?.(intent, io), { result: DONE.result, receipt: 'req-1' })
  assert.equal(calls[0]?.purpose, 'compensation')
})

/** What is said of a capability that is refused. */
function refusedFor(capability: Capability): string {
  const registered = registerCapability(capability, sha256)
  return registered.ok ? 'registered' : `${registered.error.code}: ${registered.error.summary}`
}

const hands = handsThat(() => DONE)

test('the description holds the manifest, and its hash pins every part of it', () => {
  const pin = (patch: JsonObject): string => {
    const registered = registerCapability(toCapability(manifestOf(patch), hands), sha256)
    assert.ok(registered.ok, JSON.stringify(registered))
    const { description, hash } = registered.value.law
    assert.equal(description.source.kind, 'manifest')
    assert.equal(description.manifest?.kind, 'REFUND')
    return hash
  }
  const other = {
    http: { ...Object(REFUND.executor).http, url: 'https://pay.example/v2/{/order}' },
  }
  assert.equal(pin({}), pin({}))
  assert.notEqual(pin({}), pin({ executor: other }))
  assert.notEqual(pin({}), pin({ summary: 'something else' }))
})

test('a pointer that the parameters cannot have is refused where it stands', () => {
  for (const patch of [
    { measures: { amount: { param: '/amuont' } } },
    { scopes: { orders: '/orders' } },
    { resources: [{ id: 'order:{/ordr}' }] },
    { cost: { usd: { sum: { item: '' }, of: '/amount/*' } } },
    { precondition: [{ require: { eq: [{ fact: 'a.{/b}' }, { const: 1 }] }, else: 'x' }] },
    { postcondition: [{ require: { eq: [{ param: '/b' }, { const: 1 }] }, else: 'x' }] },
  ])
    assert.match(
      refusedFor(toCapability(manifestOf(patch), hands)),
      /^MANIFEST_INVALID: .* parameters cannot have it/,
      JSON.stringify(patch),
    )
})

test('functions of somebody else under a manifest are refused', () => {
  const capability = toCapability(manifestOf(), hands)
  assert.equal(refusedFor(capability), 'registered')
  assert.match(
    refusedFor({ ...capability, execute: () => ({}) }),
    /^CAPABILITY_INVALID: .* functions that were not made of it/,
  )
  const unparsed = { ...manifestOf(), extra: 1 } as ToolManifest
  assert.match(refusedFor(toCapability(unparsed, hands)), /^MANIFEST_INVALID: `\/extra`/)
})

test('a contract that a manifest tool does not answer is named where it is deployed, and refuses', async () => {
  const stage = await flowStage({ capabilities: [toCapability(manifestOf(), hands)] })
  const contract = {
    permissions: {
      policy_kinds: ['REFUND'],
      resources: { accounts: ['anna'] },
      limits: [
        { id: 'one', kind: 'range', measure: 'amount', max: '10' },
        { id: 'two', kind: 'range', measure: 'discount', max: '10' },
      ],
    },
  }
  const document = parseContract({ ...CONTRACT, ...contract })
  assert.ok(document.ok)
  const deployed = await stage.engine().deploy(document.value)
  assert.deepEqual(deployed.ok && deployed.value.unanswered.map(({ rule }) => rule), [
    'permissions.resources.accounts',
    'permissions.limits.two',
  ])
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'a complaint' })
  const answer = await flow.propose({ policy_kind: 'REFUND', params: { order: 'o1', amount: '5' } })
  assert.equal(answer.reason_code, 'CONTRACT_UNANSWERED')
  await stage.close()
})

test('a tool that answers its contract runs from proposal to World', async () => {
  const stage = await flowStage({ capabilities: [toCapability(manifestOf(), hands)] })
  await stage.deploy({
    permissions: {
      policy_kinds: ['REFUND'],
      limits: [{ id: 'one', kind: 'range', measure: 'amount', max: '10' }],
    },
  })
  const propose = async (order: string, amount: string): Promise<string> => {
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'a complaint' })
    const answer = await flow.propose({ policy_kind: 'REFUND', params: { order, amount } })
    return answer.execution?.status ?? answer.reason_code ?? answer.outcome
  }
  assert.equal(await propose('o1', '5'), 'SUCCESS')
  assert.equal(await propose('o1', '5'), 'PRECONDITION_FAILED', 'it was refunded')
  assert.equal(await propose('o2', '11'), 'LIMIT_EXCEEDED')
  assert.equal(await propose('o2\u0000', '5'), 'PRECONDITION_FAILED', 'no id has such characters')
  await stage.close()
})
