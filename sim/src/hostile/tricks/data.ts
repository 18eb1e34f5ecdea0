/** What only another may read. */
import { VICTIM } from '../shop.ts'
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
      await stage.post(`/v1/flows/${flow?.dfid}/refresh`, { state: ['vault.*', 'vault.code'] })
    },
  },
  {
    name: 'refresh_anothers_flow',
    goal,
    patch: 'flow-of-anybody',
    attempt: async (stage) =>
      void (await stage.post(`/v1/flows/${stage.victims.dfid}/refresh`, { state: ['vault.code'] })),
  },
  {
    name: 'read_anothers_flow',
    goal,
    patch: 'flows-read-by-anybody',
    attempt: async (stage) => void (await stage.get(`/v1/flows/${stage.victims.dfid}`)),
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
      const key = `key-${stage.rng.next()}`
      const body = { trigger: 'shelf', state: ['vault.code'] }
      await stage.wire.as(VICTIM, 'POST', '/v1/flows', body, key)
      await stage.post('/v1/flows', body, key)
    },
  },
]
