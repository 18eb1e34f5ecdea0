import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant } from 'rubicon-kernel'
import {
  AGENT,
  done,
  type LayerStage,
  layerStage,
  type StageOptions,
} from './layer-stage.test-support.ts'

const DRAWDOWN = `agent.${AGENT}.drawdown_pct`
type Hooks = { [point: string]: () => Promise<unknown> }

/** Each hook runs once, at its failpoint. */
function stageWith(hooks: Hooks, options: StageOptions = {}): Promise<LayerStage> {
  return layerStage({
    contract: { safety_rules: { max_drawdown_limit_pct: '10' } },
    failpoints: {
      reach: async (point) => {
        const hook = hooks[point]
        delete hooks[point]
        await hook?.()
      },
    },
    ...options,
  })
}

async function sayFor(it: LayerStage, ms: number): Promise<void> {
  const until = formatInstant(it.clock.now() + ms)
  const word = { path: DRAWDOWN, value: '0', until }
  done(await it.layers.observe(word, { kind: 'operator', by: 'olga' }))
}

async function refund(it: LayerStage): Promise<string | undefined> {
  const flow = await it.open()
  const answer = await flow.propose({ policy_kind: 'REFUND', params: { amount: '1' } })
  return answer.reason_code ?? answer.execution?.status
}

test("what was decided on an operator's word is not dispatched after its end", async () => {
  const hooks: Hooks = {}
  const it = await stageWith(hooks)
  await sayFor(it, 1_000)
  hooks['dispatch.before_commit'] = () => it.clock.advance(999)
  assert.equal(await refund(it), 'SUCCESS')
  hooks['dispatch.before_commit'] = () => it.clock.advance(1)
  assert.equal(await refund(it), 'MEASURE_UNAVAILABLE')
  assert.equal(it.sent.length, 1)
  await it.close()
})

test('executors of their own do not dispatch after the end of what they read last', async () => {
  const hooks: Hooks = {}
  const it = await stageWith(hooks, { executors: 'separate' })
  await sayFor(it, 3_600_000)
  hooks['propose.after_compile'] = () => sayFor(it, 5_000)
  hooks['dispatch.before_commit'] = async () => sayFor(it, 1_000)
  assert.equal(await refund(it), 'SUCCESS', 'what was said meanwhile says the same')
  await sayFor(it, 3_600_000)
  hooks['propose.after_compile'] = async () => {
    hooks['dispatch.before_commit'] = async () => {
      await sayFor(it, 1_000)
      hooks['dispatch.before_commit'] = () => it.clock.advance(1_000)
    }
  }
  assert.equal(await refund(it), 'MEASURE_UNAVAILABLE')
  assert.equal(it.sent.length, 1)
  await it.close()
})
