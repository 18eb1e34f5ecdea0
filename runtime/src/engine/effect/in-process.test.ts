/** What leaves nothing outside is dispatched and settled in one unit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type JsonObject, parseManifest } from 'rubicon-kernel'
import { toCapability } from '../../capabilities/from-manifest.ts'
import type { Flow, RuntimeOptions } from '../../compose.ts'
import type { Capability } from '../../ports/capability.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import type { ExecutionRow, Unit } from '../../ports/store.ts'
import { AGENT, type FlowStage, flowStage, NEXT } from '../flow/flow-stage.test-support.ts'

const PARAMS: JsonObject = {
  type: 'object',
  properties: { shelf: { type: 'string' }, count: { type: 'string' } },
  required: ['shelf', 'count'],
  additionalProperties: false,
}

/** Puts goods on a shelf: World is all that changes. */
const STOCK: JsonObject = {
  manifest: 'rubicon/tool/1',
  kind: 'STOCK',
  version: '1',
  summary: 'puts goods on a shelf',
  params: PARAMS,
  effect: 'put_if_match',
  reversible: true,
  risk: 'low',
  resources: [{ id: 'shelf:{/shelf}' }],
  reads: { world: [{ kind: 'shelf', id: '{/shelf}' }] },
  cost: { calls: { const: '1' } },
  delta: [
    { op: 'create', kind: 'shelf', id: '{/shelf}', value: { count: { $: { param: '/count' } } } },
  ],
  executor: { world: true },
}

function tool(change: JsonObject = {}): Capability {
  const parsed = parseManifest({ ...STOCK, ...change })
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return toCapability(parsed.value, { execute: () => assert.fail('nothing leaves the process') })
}

/** The same in code, which nobody can see into. */
const CODE: Capability = {
  kind: 'STOCK',
  effect: 'put_if_match',
  risk: 'low',
  reversible: true,
  worldOnly: true,
  params: PARAMS,
  cost: { calls: '1' },
  resources: ({ shelf }) => [{ id: `shelf:${shelf}`, amount: '1' }],
  reads: ({ shelf }) => ({ world: [{ kind: 'shelf', id: String(shelf) }] }),
  execute: ({ params: { shelf, count = null } }) => ({
    delta: [{ op: 'create', kind: 'shelf', id: String(shelf), value: { count } }],
  }),
}

async function shop(
  capability: Capability = tool(),
  options: RuntimeOptions = {},
): Promise<FlowStage> {
  const stage = await flowStage({ capabilities: [capability], ...options })
  await stage.deploy({
    permissions: { policy_kinds: ['STOCK', 'ESCALATE'] },
    safety_rules: { budget_per_flow: { calls: '20' } },
  })
  return stage
}

const stock = (shelf = 'a', step_id = 'put') => ({
  policy_kind: 'STOCK',
  step_id,
  params: { shelf, count: '3' },
})

const open = (stage: FlowStage): Promise<Flow> =>
  stage.runtime().open({ agent: AGENT, trigger: 'goods came in', steps: 'many' })

/** What is committed while `work` runs. */
async function unitsOf(stage: FlowStage, work: () => Promise<unknown>): Promise<readonly Unit[]> {
  const { store } = stage.engine().context
  const units: Unit[] = []
  const commit = store.commit.bind(store)
  store.commit = (unit) => {
    units.push(unit)
    return commit(unit)
  }
  await work()
  store.commit = commit
  return units
}

async function rowOf(stage: FlowStage, dfid: string): Promise<ExecutionRow | undefined> {
  return (await stage.runtime().store.listExecutions({ dfid, limit: 9 }))[0]
}

const kindsOf = async (stage: FlowStage, dfid: string): Promise<readonly string[]> =>
  (await stage.entries(dfid)).map(([kind]) => kind)

const shelfOf = async (stage: FlowStage, id = 'a') =>
  (await stage.runtime().store.readResources('main', [{ kind: 'shelf', id }]))[0]

for (const store of ['memory', 'sqlite'])
  test(`a change to World that is data is dispatched and settled in one unit: ${store}`, async () => {
    const stage = await shop(tool(), store === 'memory' ? { store } : {})
    const flow = await open(stage)
    let answer: Answer | undefined
    const units = await unitsOf(stage, async () => {
      answer = await flow.propose(stock())
    })
    assert.equal(units.length, 1)
    assert.equal(answer?.execution?.status, 'SUCCESS')
    assert.deepEqual(await kindsOf(stage, flow.dfid), ['writ', 'dispatch', 'commit'])
    const row = await rowOf(stage, flow.dfid)
    const [entry] = await stage.runtime().store.listEntries('main', row?.dispatched.seq ?? -1, 1)
    assert.equal(entry?.envelope.kind, 'dispatch', 'the row names its dispatch')
    assert.equal(row?.settled_at, entry?.envelope.at)
    assert.deepEqual((await shelfOf(stage))?.value, { count: '3' })
    const locks = await stage.runtime().store.listRecords('lock', 'shelf:a', { limit: 9 })
    assert.deepEqual(locks, [], 'nothing stays held')
    assert.equal((await flow.propose(stock())).outcome, 'REPEATED')
    await stage.close()
  })

test('an act on World that is data is one unit in all', async () => {
  const stage = await shop()
  const act = () => stage.runtime().act({ agent: AGENT, trigger: 'goods came in', ...stock() })
  await act()
  const again = () => stage.runtime().act({ agent: AGENT, trigger: 'goods came in', ...stock('b') })
  const units = await unitsOf(stage, async () => {
    const { answer } = await again()
    assert.equal(answer.execution?.status, 'SUCCESS')
    assert.deepEqual(await kindsOf(stage, answer.dfid), ['writ', 'dispatch', 'commit'])
  })
  assert.equal(units.length, 1)
  await stage.close()
})

/** All that is left of a step, apart from ids, hashes and times. */
async function tracesOf(stage: FlowStage, flow: Flow, answer: Answer): Promise<unknown> {
  const { version, state, tags, attempts, history } = await stage.flow(flow.dfid)
  const row = await rowOf(stage, flow.dfid)
  const { store } = stage.runtime()
  return {
    answer: [answer.outcome, answer.reason_code, answer.execution?.status],
    flow: [version, state, tags, attempts, history.map(({ from, to }) => [from, to])],
    row: [row?.version, row?.status, row?.sends, row?.reason_code, row?.next_at],
    entries: await kindsOf(stage, flow.dfid),
    used: await store.readCounter(`${flow.dfid}:calls`),
    locks: (await store.listRecords('lock', 'shelf:a', { limit: 9 })).map(({ body }) => [
      body.quarantined,
      body.expires_at,
    ]),
    memory: (await store.listRecords('memory', AGENT, { limit: 9 })).map(({ body }) => [
      body.outcome,
      body.reason_code,
    ]),
    shelf: (await shelfOf(stage))?.version,
  }
}

const CASES: readonly {
  readonly name: string
  readonly manifest: JsonObject
  readonly code: Partial<Capability>
  readonly status: string
}[] = [
  { name: 'it succeeds', manifest: {}, code: {}, status: 'SUCCESS' },
  {
    name: 'what should hold afterwards does not',
    manifest: {
      postcondition: [
        { require: { eq: [{ param: '/shelf' }, { const: 'z' }] }, else: 'it is another' },
      ],
    },
    code: { postcondition: () => 'it is another' },
    status: 'MANUAL_REVIEW',
  },
]

for (const executors of ['inline', 'separate'] as const)
  for (const { name, manifest, code, status } of CASES)
    test(`one unit leaves what two leave, ${executors}: ${name}`, async () => {
      const left: unknown[] = []
      const counts: number[] = []
      for (const capability of [tool(manifest), { ...CODE, ...code }]) {
        const stage = await shop(capability, { executors })
        const flow = await open(stage)
        let answer: Answer | undefined
        const units = await unitsOf(stage, async () => {
          answer = await flow.propose(stock())
          await stage.engine().context.inFlight.awaitDrained()
        })
        counts.push(units.filter(({ writes }) => writes.some(isOfStep)).length)
        assert.ok(answer !== undefined)
        const row = await rowOf(stage, flow.dfid)
        assert.equal(row?.status, status)
        left.push(await tracesOf(stage, flow, answer))
        await stage.close()
      }
      assert.deepEqual(left[0], left[1])
      const accepted = executors === 'separate' ? 1 : 0
      assert.deepEqual(counts, [accepted + 1, accepted + 2])
    })

function isOfStep(write: Unit['writes'][number]): boolean {
  return write.kind === 'put_execution'
}

test('a TypeScript `execute` is never called before its dispatch is durable', async () => {
  const seen: (string | undefined)[] = []
  const stage = await shop({
    ...CODE,
    async execute(intent, io) {
      seen.push((await rowOf(stage, intent.dfid))?.status)
      return CODE.execute(intent, io)
    },
  })
  const flow = await open(stage)
  assert.equal((await flow.propose(stock())).execution?.status, 'SUCCESS')
  assert.deepEqual(seen, ['DISPATCHED'])
  await stage.close()
})

/** Stops at a point, for good, when it is armed. */
function killer(point: Failpoint): {
  readonly failpoints: NonNullable<RuntimeOptions['failpoints']>
  set(armed: boolean): void
} {
  let armed = false
  return {
    failpoints: {
      reach(at) {
        if (armed && at === point) throw new Error('killed')
      },
    },
    set(value) {
      armed = value
    },
  }
}

for (const [point, isWritten] of [
  ['propose.after_compile', false],
  ['dispatch.before_commit', false],
  ['effect.before_send', false],
  ['effect.after_send', false],
  ['dispatch.after_commit', true],
] as const)
  for (const kind of ['STOCK', 'ESCALATE'] as const)
    test(`a crash leaves nothing of it or all: ${kind}, ${point}`, async () => {
      const kill = killer(point)
      const stage = await shop(tool(), { failpoints: kill.failpoints })
      const flow = await open(stage)
      const proposal =
        kind === 'STOCK'
          ? stock()
          : { policy_kind: kind, step_id: 'put', params: { reason: 'help' } }
      kill.set(true)
      await assert.rejects(flow.propose(proposal), /killed/)
      kill.set(false)
      await stage.restart()
      const row = await rowOf(stage, flow.dfid)
      const kinds = await kindsOf(stage, flow.dfid)
      const outcome = kind === 'STOCK' ? ['commit'] : ['commit', 'pending_approval']
      assert.deepEqual(kinds, isWritten ? ['writ', 'dispatch', ...outcome] : ['writ'])
      assert.equal(row?.status, isWritten ? 'SUCCESS' : undefined)
      const again = await stage.engine().propose(flow.dfid, proposal)
      const asked = isWritten ? 'REPEATED' : 'ACCEPTED'
      assert.equal(again.outcome, asked)
      assert.equal(again.execution?.status, 'SUCCESS')
      const count = (await stage.engine().oversight.escalations()).length
      assert.equal(count, kind === 'ESCALATE' ? 1 : 0)
      await stage.close()
    })

test('what is stopped before it is written leaves nothing of it', async () => {
  let overtake: (() => Promise<unknown>) | null = null
  const stage = await shop(tool(), {
    failpoints: {
      async reach(point) {
        if (point !== 'effect.after_send' || overtake === null) return
        const act = overtake
        overtake = null
        await act()
      },
    },
  })
  const flow = await open(stage)
  const move = { agent_id: AGENT, to: 'SUSPENDED', actor: 'operator', justification: 'x' } as const
  overtake = () => stage.engine().moveAgent(move)
  const answer = await flow.propose(stock())
  assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', 'AGENT_SUSPENDED'])
  assert.deepEqual(await kindsOf(stage, flow.dfid), ['writ', 'rejection'])
  assert.equal(await rowOf(stage, flow.dfid), undefined)
  assert.equal(await shelfOf(stage), undefined)
  await stage.close()
})

test('no life of such a flow is shorter than that of another', async () => {
  const stage = await shop()
  const flow = await open(stage)
  await flow.propose(stock())
  const { history } = await stage.flow(flow.dfid)
  const path = history.map(({ to }) => to)
  assert.deepEqual(path, ['CREATED', 'ACTIVE', 'VALIDATING', 'ACCEPTED', 'EXECUTING', 'ACTIVE'])
  for (const [i, to] of path.slice(1).entries())
    assert.ok(NEXT[path[i] ?? 'CREATED'].includes(to), to)
  await stage.close()
})
