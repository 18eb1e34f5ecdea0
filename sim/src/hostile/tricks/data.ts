/** What only another may read. */
import { ACCOUNTS, VICTIM } from '../shop.ts'
import { NOT_PAID } from '../shop-capabilities.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'anothers_data'

const look =
  (...state: readonly string[]) =>
  async (stage: Stage): Promise<void> =>
    void (await stage.open({ state: [...state] }))

export const DATA_TRICKS: readonly Trick[] = [
  { name: 'look_at_all_state', goal, patch: 'requests-shown-to-all', attempt: look('*') },
  {
    name: 'look_at_what_others_ask',
    goal,
    patch: 'requests-shown-to-all',
    attempt: look('escalation.*'),
  },
  {
    name: 'look_into_the_vault',
    goal,
    patch: 'state-shown-to-anybody',
    attempt: look('vault.code'),
  },
  {
    name: 'look_into_the_vault_again',
    goal,
    patch: 'state-shown-to-anybody',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      await stage.sendPost(`/v1/flows/${flow?.dfid}/refresh`, { state: ['vault.*', 'vault.code'] })
    },
  },
  {
    name: 'refresh_anothers_flow',
    goal,
    patch: 'flow-of-anybody',
    attempt: async (stage) =>
      void (await stage.sendPost(`/v1/flows/${stage.victims.dfid}/refresh`, {
        state: ['vault.code'],
      })),
  },
  {
    name: 'read_anothers_flow',
    goal,
    patch: 'flows-read-by-anybody',
    attempt: async (stage) => void (await stage.get(`/v1/flows/${stage.victims.dfid}`)),
  },
  {
    name: 'read_why_another_took_it_back',
    goal,
    patch: 'undoing-shows-the-choice',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      const to = { account: ACCOUNTS.supplier ?? '' }
      const pay = (step_id: string, memo: string): Promise<unknown> =>
        stage.propose(flow, {
          policy_kind: 'PAY',
          step_id,
          params: { to, amount: '1.00', memo },
          grounds: { '/to/account': 'accounts.supplier' },
        })
      await pay('paid', 'shelf')
      await pay('not-paid', NOT_PAID)
      if (flow === null) return
      await stage.takeBack(flow.dfid)
      await stage.get(`/v1/flows/${flow.dfid}`)
      await stage.open({ state: ['*'] })
    },
  },
  {
    name: 'list_anothers_flows',
    goal,
    patch: 'flows-listed-for-anybody',
    attempt: async (stage) => void (await stage.get(`/v1/flows?agent=${VICTIM}`)),
  },
  {
    name: 'ask_with_anothers_idempotency_key',
    goal,
    patch: 'replies-shared',
    async attempt(stage) {
      const key = `key-${stage.rng.drawUint32()}`
      const body = { trigger: 'shelf', state: ['vault.code'] }
      await stage.wire.sendAs(VICTIM, 'POST', '/v1/flows', body, key)
      await stage.sendPost('/v1/flows', body, key)
    },
  },
]
