import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StateFact } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import {
  buy,
  DESK,
  type SagaStage,
  sagaStage,
  sell,
  TRADER,
} from '../compensate/saga-stage.test-support.ts'

/** The flow that the runtime opens for whoever is to choose. */
async function woken(it: SagaStage): Promise<Flow> {
  const flows: Flow[] = []
  it.runtime().on(DESK, (flow) => void flows.push(flow))
  await it.engine().runDue()
  const [flow] = flows
  return flow ?? assert.fail('nobody was woken')
}

function child(it: SagaStage, parent: Flow): Promise<Flow> {
  return it.runtime().open({ agent: TRADER, trigger: 'one leg', parent: parent.dfid })
}

function shown({ context }: Pick<Flow, 'context'>): readonly StateFact[] {
  return context.state.filter(({ path }) => path.startsWith('kernel.'))
}

test('finding 26a: whoever is to choose is told what failed, what was applied, what is open, and the menu', async () => {
  const it = await sagaStage({ desk: { compensation: ['REVERT', 'CLOSE_ALL', 'NOWHERE'] } })
  const desk = await it.desk()
  const [sold, lost, refused] = await Promise.all([1, 2, 3].map(() => child(it, desk)))
  assert.ok(sold && lost && refused)
  await sell(sold, 'A')
  it.market.does = { SELL: 'lose', BUY: 'refuse' }
  await sell(lost, 'C')
  await buy(refused, 'B')
  const { dfid } = desk
  const [told, said] = shown(await woken(it))
  assert.ok(told && said)
  assert.deepEqual([told.path, told.label], [`kernel.compensation.${dfid}`, 'trusted'])
  const { since, ...value } = told.value as { readonly since: string }
  assert.ok(since <= told.observed_at)
  const sell_ = { step_id: 'sell', policy_kind: 'SELL' }
  const failed = { step_id: 'buy', policy_kind: 'BUY', status: 'FAILED' }
  assert.deepEqual(value, {
    dfid,
    agent_id: DESK,
    cause: { dfid: refused.dfid, step_id: 'buy' },
    failed: [{ dfid: refused.dfid, ...failed, reason_code: 'EFFECT_FAILED' }],
    applied: [{ dfid: sold.dfid, ...sell_, status: 'SUCCESS', reason_code: null }],
    uncertain: [{ dfid: lost.dfid, ...sell_, status: 'UNKNOWN', reason_code: 'OUTCOME_UNKNOWN' }],
    menu: ['REVERT', 'CLOSE_ALL', 'ALERT_HUMAN'],
  })
  assert.equal(said.label, 'external', 'what agents and providers said is not the kernel’s word')
  const { steps } = said.value as { readonly steps: readonly object[] }
  assert.deepEqual(
    steps.map((one) => 'params' in one && one.params),
    [{ asset: 'B' }, { asset: 'C' }, { asset: 'A' }],
  )
  assert.deepEqual(steps.at(-1), {
    ...{ dfid: sold.dfid, step_id: 'sell', params: { asset: 'A' } },
    ...{ result: { call: 'SELL' }, details: null },
  })
  // Nobody else sees it, whatever they ask for.
  const state = [`kernel.compensation.${dfid}`, 'kernel.*', '*']
  const other = await it.runtime().open({ agent: DESK, trigger: 'curious', state })
  assert.deepEqual(shown(other), [])
  await it.close()
})

test('finding 26a: it is told how things stand when it looks again, until the choice is made', async () => {
  const it = await sagaStage({ desk: { permissions: { ...NARROW } } })
  const dfid = await it.half()
  const handed = await woken(it)
  assert.equal(shown(handed).length, 2, 'whatever it may read')
  const again = await handed.refresh()
  assert.deepEqual(
    again.state.map(({ path }) => path),
    [`kernel.compensation.${dfid}`, `kernel.compensation.${dfid}.said`],
  )
  await handed.compensate(dfid, 'REVERT')
  assert.deepEqual((await handed.refresh()).state, [])
  await it.close()
})

const NARROW = { policy_kinds: ['SELL', 'BUY', 'COMPENSATE', 'SPAWN_CHILD'], reads: ['none'] }

test('a saga of many words wakes its chooser all the same', async () => {
  const it = await sagaStage({ contextTokens: 840 })
  const flow = await it.trade()
  for (const step of ['a', 'b', 'c']) await sell(flow, `${step}-${'long'.repeat(25)}`, step)
  it.market.does = { BUY: 'refuse' }
  await buy(flow)
  const [told, said] = shown(await woken(it))
  assert.ok(told && said)
  const counted = told.value as { readonly applied: readonly object[] }
  assert.equal(counted.applied.length, 3)
  // How many tokens an id takes is chance, so that one or two find no room.
  const { left_out = 0 } = said.value as { readonly left_out?: number }
  assert.ok(left_out === 1 || left_out === 2, String(left_out))
  await it.close()
})
