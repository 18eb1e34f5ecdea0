/** What all flows of an agent may spend in a window: taken with the dispatch, given back where it was taken. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant } from 'rubicon-kernel'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { NotApplied } from '../../ports/capability.ts'
import { loadAgentDetail } from '../authority/registry/agent-detail.ts'
import { carryOutAccepted } from '../effect/carry-out.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'

type Provider = { refuses: boolean }

async function staged(
  budget: Readonly<Record<string, string | number>>,
  options: Parameters<typeof flowStage>[0] = {},
): Promise<FlowStage & { readonly provider: Provider }> {
  const provider: Provider = { refuses: false }
  const example = exampleCapability(() => {})
  const stage = await flowStage({
    capabilities: [
      {
        ...example,
        execute(intent, io) {
          if (provider.refuses) throw new NotApplied('no')
          return example.execute(intent, io)
        },
      },
    ],
    ...options,
  })
  await stage.deploy({ safety_rules: { budget_per_agent: { window_s: 60, ...budget } } })
  return { ...stage, provider }
}

let orders = 0

async function ask(stage: FlowStage): Promise<string> {
  orders += 1
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const params = { order: `window-${orders}`, amount: '1.00' }
  const answer = await flow.propose({ ...refund(), params })
  return answer.reason_code ?? answer.outcome
}

test('a window ends on the second, and the next one is whole', async () => {
  const stage = await staged({ calls: 2 })
  assert.deepEqual([await ask(stage), await ask(stage)], ['ACCEPTED', 'ACCEPTED'])
  await stage.clock.advance(59_999)
  assert.equal(await ask(stage), 'BUDGET_EXCEEDED')
  await stage.restart()
  assert.equal(await ask(stage), 'BUDGET_EXCEEDED', 'a restart forgets nothing')
  await stage.clock.advance(1)
  assert.deepEqual([await ask(stage), await ask(stage)], ['ACCEPTED', 'ACCEPTED'])
  assert.equal(await ask(stage), 'BUDGET_EXCEEDED')
  await stage.close()
})

test('no window is spent without whoever looks at the agent seeing it', async () => {
  const stage = await staged({ calls: 2 })
  await ask(stage)
  const detail = await loadAgentDetail(stage.engine().context, AGENT)
  const row = detail?.budgets.find(({ of }) => of === 'window')
  assert.deepEqual([row?.measure, row?.spent, row?.limit], ['calls', '1', '2'])
  const now = stage.clock.now()
  assert.equal(row?.resets_at, formatInstant(now - (now % 60_000) + 60_000))
  await stage.close()
})

test('what was not applied goes back to the window in which it was taken', async () => {
  const stage = await staged({ calls: 1 })
  stage.provider.refuses = true
  for (let i = 0; i < 3; i += 1) assert.equal(await ask(stage), 'ACCEPTED')
  stage.provider.refuses = false
  assert.equal(await ask(stage), 'ACCEPTED')
  assert.equal(await ask(stage), 'BUDGET_EXCEEDED')
  await stage.close()
})

test('what reasoning costs is counted in the window too', async () => {
  const stage = await staged({ tokens: 100 })
  const first = await stage.runtime().open({ agent: AGENT, trigger: 'thought' })
  await first.usage({ tokens: 100 })
  assert.equal(await ask(stage), 'ACCEPTED', 'the last token is granted')
  await first.usage({ tokens: 1 })
  assert.equal(await ask(stage), 'BUDGET_EXCEEDED')
  await stage.close()
})

test('an intent that waits for its executor holds its part, and not against itself', async () => {
  const stage = await staged({ calls: 1 }, { executors: 'elsewhere' })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { context } = stage.engine()
  const asked = stage.engine().propose(flow.dfid, refund(), { waitMs: 0 })
  assert.equal((await asked).outcome, 'ACCEPTED')
  assert.equal(await ask(stage), 'BUDGET_EXCEEDED')
  assert.equal(await carryOutAccepted(context), 1)
  await context.inFlight.awaitDrained()
  assert.equal((await stage.flow(flow.dfid)).state, 'CLOSED')
  await stage.close()
})
