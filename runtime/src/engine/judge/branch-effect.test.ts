/** What a flow in a branch can do: change the World of the branch, read, and nothing that anybody outside notices. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, isObject, type JsonObject } from 'rubicon-kernel'
import type { Flow, RuntimeOptions } from '../../compose.ts'
import { branchTrajectory } from '../../evidence/branch.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { recompileTrajectory } from '../../evidence/recompile.ts'
import type { Capability } from '../../ports/capability.ts'
import { attempt } from '../effect/effect.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'
import { signText } from '../rows/sign.ts'
import { parseIntent, stripIntentSignature } from '../rows/stored-intent.ts'

const BRANCH = 'what-if'
const KINDS = ['REFUND', 'NOTE', 'LOOK', 'DRAFT', 'SPAWN_CHILD', 'SPAWN_INSTANCE']

type Desk = FlowStage & {
  /** What reached somebody outside. */
  readonly sent: string[]
  open(trajectory?: string): Promise<Flow>
}

const plain = { risk: 'low', reversible: true, params: { type: 'object' } } as const

/** Pays; notes in World alone; looks outside; drafts, in a branch in World alone. */
function buildTools(sent: string[]): readonly Capability[] {
  const note: Capability['execute'] = ({ params }) => ({
    delta: [{ op: 'create', kind: 'note', id: String(params.id), value: 1 }],
  })
  return [
    { ...exampleCapability(() => void sent.push('REFUND')), compensate: () => ({}) },
    { ...plain, kind: 'NOTE', effect: 'put_if_match', worldOnly: true, execute: note },
    { ...plain, kind: 'LOOK', effect: 'read', execute: () => ({ result: 'seen' }) },
    {
      ...plain,
      kind: 'DRAFT',
      effect: 'keyed',
      branches: 'world',
      execute(intent, io) {
        if (intent.trajectory === 'main') sent.push('DRAFT')
        return note(intent, io)
      },
    },
  ]
}

async function desk(change: JsonObject = {}, options: RuntimeOptions = {}): Promise<Desk> {
  const sent: string[] = []
  const it = await flowStage({ capabilities: buildTools(sent), ...options })
  await it.deploy({ permissions: { policy_kinds: KINDS }, ...change })
  const source = { trajectory: 'main', seq: 0 }
  const branched = await branchTrajectory(it.engine(), { source, name: BRANCH, note: 'a try' })
  assert.ok(branched.ok)
  const open = (trajectory = BRANCH): Promise<Flow> =>
    it.runtime().open({ agent: AGENT, trigger: 'try it', steps: 'many', trajectory })
  return { ...it, sent, open }
}

function propose(flow: Flow, policy_kind: string, params: JsonObject): Promise<Answer> {
  return flow.propose({ policy_kind, step_id: policy_kind.toLowerCase(), params })
}

async function countDispatches(it: Desk, dfid: string): Promise<number> {
  return (await it.entries(dfid)).filter(([kind]) => kind === 'dispatch').length
}

test('no money moves from a branch, and the ledger says that nothing was sent', async () => {
  for (const executors of ['inline', 'separate'] as const) {
    const it = await desk({}, { executors })
    const flow = await it.open()
    const answer = await flow.propose(refund())
    assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', 'BRANCH_EFFECT'])
    assert.deepEqual(it.sent, [])
    assert.equal(await countDispatches(it, flow.dfid), 0)
    const { store } = it.runtime()
    const again = await recompileTrajectory(store, BRANCH, it.engine().context.book.rules)
    assert.deepEqual([again.decisions, again.differing], [1, []], 'judged again it is the same')
    assert.equal((await (await it.open('main')).propose(refund())).execution?.status, 'SUCCESS')
    assert.deepEqual(it.sent, ['REFUND'], 'in main it is what it was')
    await it.close()
  }
})

test('a child of a branch stands in it, and moves no money either', async () => {
  const it = await desk()
  const flow = await it.open()
  const spawned = await propose(flow, 'SPAWN_CHILD', { agent: AGENT, trigger: 'do it for me' })
  const { result } = spawned.execution ?? {}
  const dfid = isObject(result) ? String(result.dfid) : assert.fail('no child')
  assert.equal((await it.flow(dfid)).trajectory, BRANCH)
  const child = await it.runtime().engine.propose(dfid, { ...refund(), dfid, agent_id: AGENT })
  assert.equal(child.reason_code, 'BRANCH_EFFECT')
  const elsewhere = { agent: AGENT, trigger: 'over there', trajectory: 'main' }
  const escaped = await flow.propose({
    policy_kind: 'SPAWN_CHILD',
    step_id: 'out',
    params: elsewhere,
  })
  assert.equal(escaped.execution?.status, 'FAILED', 'nor is one opened in main')
  assert.deepEqual(it.sent, [])
  await it.close()
})

test('in a branch World is changed, and that of main is not', async () => {
  const it = await desk()
  const flow = await it.open()
  for (const [kind, id] of [
    ['NOTE', 'a'],
    ['DRAFT', 'b'],
    ['LOOK', 'c'],
  ] as const)
    assert.equal((await propose(flow, kind, { id })).execution?.status, 'SUCCESS', kind)
  assert.deepEqual(it.sent, [])
  const { store } = it.runtime()
  for (const [trajectory, version] of [
    [BRANCH, 1],
    ['main', undefined],
  ] as const) {
    const facts = await store.readResources(trajectory, [{ kind: 'note', id: 'b' }])
    assert.equal(facts[0]?.version, version, trajectory)
  }
  await propose(await it.open('main'), 'DRAFT', { id: 'b' })
  assert.deepEqual(it.sent, ['DRAFT'], 'in main it does all that it does')
  await it.close()
})

test('a person is not asked about what a branch cannot do, and agents are not offered it', async () => {
  const safety_rules = { requires_human_approval: ['REFUND'] }
  const it = await desk({ safety_rules })
  const flow = await it.open()
  const answer = await flow.propose(refund())
  assert.equal(answer.reason_code, 'BRANCH_EFFECT')
  const offered = async (one: Flow): Promise<readonly string[]> =>
    (await one.listTools()).map(({ kind }) => kind).filter((kind) => KINDS.includes(kind))
  assert.deepEqual((await offered(flow)).toSorted(), ['DRAFT', 'LOOK', 'NOTE', 'SPAWN_CHILD'])
  assert.deepEqual((await offered(await it.open('main'))).toSorted(), KINDS.toSorted())
  await it.close()
})

test('what an earlier law dispatched in a branch is not sent when it is found there', async () => {
  const it = await desk()
  const flow = await it.open('main')
  await flow.propose(refund())
  assert.deepEqual(it.sent, ['REFUND'])
  const { context } = it.engine()
  const [row] = await context.store.listExecutions({ dfid: flow.dfid, limit: 1 })
  assert.ok(row !== undefined)
  // As the kernel would have signed it in a branch.
  const before = parseIntent(row.intent)
  const unsigned = JSON.stringify({ ...before, trajectory: BRANCH })
  const moved = parseIntent(unsigned)
  const text = stripIntentSignature(unsigned, moved)
  assert.ok(text !== null)
  const kernel_signature = await signText(context, 'kernel', 'intent', text)
  const intent = JSON.stringify({ ...moved, kernel_signature })
  const ready = {
    intent: parseIntent(intent),
    flow: await it.flow(flow.dfid),
    execution: { ...row, intent },
    world: [],
  }
  const settlement = await attempt(context, ready, {})
  assert.ok(settlement.kind === 'failed')
  assert.equal(settlement.details.refused, 'BRANCH_EFFECT')
  assert.deepEqual(it.sent, ['REFUND'], 'it was sent once, in main')
  await it.close()
})

test('a capability that says something else of branches is not registered', async () => {
  const odd = JSON.parse('{"branches":"all"}') as Partial<Capability>
  const capabilities = [{ ...exampleCapability(() => {}), ...odd }]
  await assert.rejects(flowStage({ capabilities }), /`branches` of `REFUND` is not `world`/)
})
