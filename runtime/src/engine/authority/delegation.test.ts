import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Answer, LifecycleActor } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { exportBundle } from '../../evidence/export-bundle.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'

const CLERK = 'refunds_clerk'
const HELPER = 'refunds_helper'
const limits = [{ id: 'amount', kind: 'range', measure: 'amount', max: '500.00' }]
const permissions = { policy_kinds: ['REFUND', 'SPAWN_INSTANCE', 'SPAWN_CHILD'], limits }

type Delegated = FlowStage & {
  readonly spawner: { close(): Promise<void> }
  /** Of the clerk, below a flow of the instance; and of the helper, below that. */
  readonly child: string
  readonly grandchild: string
  refund(dfid: string, order: string): Promise<Answer>
  move(agent_id: string, to: 'SUSPENDED' | 'ACTIVE', actor?: LifecycleActor): Promise<void>
}

/** An instance has handed work to a clerk, and the clerk to a helper. */
async function delegated(t: TestContext): Promise<Delegated> {
  const stage = await flowStage()
  t.after(() => stage.close())
  await stage.deploy({ permissions })
  const safety_rules = { suspend_after_rejections: { count: 2, window_s: 3600 } }
  for (const agent_id of [CLERK, HELPER])
    await stage.deploy({ agent_id, parent_agent: AGENT, permissions, safety_rules })
  const spawner = await stage.runtime().open({ agent: AGENT, trigger: 'busy', steps: 'many' })
  const until = { flow: spawner.dfid }
  await spawner.spawnInstance({ class: AGENT, instance_id: 'bot-1', until })
  const own = await stage.runtime().open({ agent: 'bot-1', trigger: 'ticket', steps: 'many' })
  const made = await own.spawn({ agent: CLERK, trigger: 'part of it', steps: 'many' })
  const child = dfidIn(made)
  const policy_kind = 'SPAWN_CHILD'
  const params = { agent: HELPER, trigger: 'part of that', steps: 'many' }
  const below = await stage.engine().propose(child, { policy_kind, params, step_id: 'hand' })
  const grandchild = dfidIn(below)
  return {
    ...stage,
    spawner: { close: () => spawner.close() },
    child,
    grandchild,
    refund: (dfid, order) =>
      stage.engine().propose(dfid, {
        policy_kind: 'REFUND',
        step_id: order,
        params: { order, amount: '20.00' },
      }),
    async move(agent_id, to, actor = 'operator') {
      const moved = await stage.engine().moveAgent({ agent_id, to, actor, justification: 'looked' })
      assert.ok(moved.ok)
    },
  }
}

function dfidIn({ execution }: Answer): string {
  const { dfid = '' } = (execution?.result ?? {}) as { readonly dfid?: string }
  return dfid
}

async function findings(stage: Delegated): Promise<readonly unknown[]> {
  const { store, engine } = stage.runtime()
  await engine.checkpoint()
  const lines: string[] = []
  await exportLedger(store, (line) => void lines.push(line))
  const found = [...verifyAny(lines.join(''), nodeCrypto).findings]
  for (const dfid of [stage.child, stage.grandchild]) {
    const bundle = await exportBundle(store, nodeCrypto.sha256, dfid)
    assert.ok(bundle.ok)
    found.push(...verifyAny(bundle.value, nodeCrypto).findings)
  }
  return found
}

test('what an instance delegated never goes on after it has ended', async (t) => {
  const stage = await delegated(t)
  for (const dfid of [stage.child, stage.grandchild])
    assert.equal((await stage.refund(dfid, `before-${dfid.slice(-6)}`)).outcome, 'ACCEPTED')
  await stage.spawner.close()
  await stage.engine().runDue()
  for (const dfid of [stage.grandchild, stage.child]) {
    const said = await stage.refund(dfid, `after-${dfid.slice(-6)}`)
    assert.deepEqual([said.outcome, said.reason_code], ['REJECTED', 'WRIT_REVOKED'])
    assert.equal((await stage.flow(dfid)).state, 'ABORTED')
  }
  assert.deepEqual(await findings(stage), [])
})

for (const agent of ['bot-1', AGENT])
  test(`what an instance delegated waits while ${agent} is suspended, and is nobody's fault`, async (t) => {
    const stage = await delegated(t)
    await stage.move(agent, 'SUSPENDED')
    for (const [dfid, order] of [
      [stage.child, 'one'],
      [stage.grandchild, 'two'],
      [stage.grandchild, 'three'],
    ] as const) {
      const said = await stage.refund(dfid, order)
      assert.deepEqual([said.outcome, said.reason_code], ['REJECTED', 'AGENT_SUSPENDED'])
    }
    const params = { agent: HELPER, trigger: 'more' }
    await assert.rejects(stage.runtime().open({ ...params, parent: stage.child }), {
      code: 'AGENT_SUSPENDED',
    })
    const { statuses } = await stage.engine().context.authorities.loadLatest()
    assert.deepEqual([statuses.get(CLERK), statuses.get(HELPER)], ['ACTIVE', 'ACTIVE'])
    await stage.move(agent, 'ACTIVE')
    assert.equal((await stage.refund(stage.grandchild, 'four')).outcome, 'ACCEPTED')
    assert.deepEqual(await findings(stage), [])
  })
