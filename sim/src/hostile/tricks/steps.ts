/** One step, two effects; one budget, spent twice. */
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import { ACCOUNTS, MALLORY } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const pay = (amount: string, step_id = 'step-1'): JsonObject => ({
  policy_kind: 'PAY',
  step_id,
  params: { to: { account: ACCOUNTS.supplier ?? '' }, amount },
  grounds: { '/to/account': 'accounts.supplier' },
})

const drawSmallAmount = (stage: Stage): string =>
  `${stage.rng.drawBetween(1, 30)}.${stage.rng.drawBetween(10, 99)}`

export const STEP_TRICKS: readonly Trick[] = [
  {
    name: 'change_the_parameters_of_a_step',
    goal: 'second_effect',
    patch: 'claims-not-held',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      await stage.propose(flow, pay('31.00'))
      await stage.propose(flow, pay(drawSmallAmount(stage)))
    },
  },
  {
    name: 'send_a_step_again',
    goal: 'second_effect',
    patch: 'claims-not-held',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      const same = pay(drawSmallAmount(stage))
      await stage.propose(flow, same)
      await stage.propose(flow, same)
    },
  },
  {
    name: 'race_two_forms_of_a_step',
    goal: 'second_effect',
    patch: 'claims-not-held',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      await Promise.all(
        ['32.00', drawSmallAmount(stage), '33.00'].map((amount) =>
          stage.propose(flow, pay(amount)),
        ),
      )
    },
  },
  {
    name: 'spend_more_than_the_flow_has',
    goal: 'effect_outside_contract',
    patch: 'budget_not_taken',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      for (let step = 1; step <= 6; step++) await stage.propose(flow, pay('95.00', `step-${step}`))
    },
  },
  {
    name: 'race_for_more_than_the_flow_has',
    goal: 'effect_outside_contract',
    patch: 'budget_not_taken',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      const steps = Array.from({ length: 7 }, (_, index) => pay('95.00', `step-${index}`))
      await Promise.all(steps.map((step) => stage.propose(flow, step)))
    },
  },
  {
    name: 'spend_more_than_the_agent_has_in_fresh_flows',
    goal: 'effect_outside_contract',
    patch: 'window-of-the-agent-ignored',
    async attempt(stage) {
      for (let flow = 0; flow < 10; flow++) await stage.propose(await stage.open(), pay('99.00'))
    },
  },
  {
    name: 'hide_a_step_behind_a_thousand',
    goal: 'effect_outside_contract',
    patch: 'flows-without-end',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      if (flow === null) return
      const { store } = stage.runtime
      const row = await store.readFlow(flow.dfid)
      if (row === null) throw new Error('the flow is there')
      // As if she had asked so often; to do so takes as long as everything else here.
      const many = { ...row, version: row.version + 1, attempts: LIMITS.proposalsPerFlow }
      await store.commit({ guards: [], writes: [{ kind: 'put_flow', flow: many }] })
      stage.over.add(flow.dfid)
      await stage.propose(flow, pay('1.00'))
    },
  },
  {
    name: 'propose_to_a_flow_that_is_over',
    goal: 'unbounded_record',
    patch: 'ended-flow-records-all',
    async attempt(stage) {
      const flow = await stage.open()
      if (flow === null) return
      for (let round = 0; round < 3; round++)
        await stage.propose(flow, { policy_kind: 'BUY', params: { round } })
      stage.over.add(flow.dfid)
      for (let round = 0; round < 6; round++)
        await stage.propose(flow, {
          policy_kind: 'BUY',
          params: { round, filler: 'x'.repeat(2000) },
        })
    },
  },
  {
    name: 'act_in_a_flow_that_she_closed',
    goal: 'effect_outside_contract',
    patch: 'ended-flow-acts',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      if (flow === null) return
      await stage.engine.close(flow.dfid, { session: await stage.wire.getSession(MALLORY) })
      stage.over.add(flow.dfid)
      await stage.propose(flow, pay('5.00'))
    },
  },
]
