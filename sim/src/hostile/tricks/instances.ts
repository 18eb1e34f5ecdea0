/** Instances: what their narrowing may not widen, and what ends them. */
import { formatInstant, type JsonObject } from 'rubicon-kernel'
import { contractOf, HANDED_TO, MALLORY, VICTIM } from '../shop.ts'
import { claimed, type Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const MINUTE_MS = 60_000

/** Of mallory, for a minute; null where it was refused. */
async function instance(stage: Stage, narrowing: JsonObject): Promise<string | null> {
  const instance_id = `${MALLORY}-${stage.rng.below(1_000_000)}`
  const until = { at: formatInstant(stage.clock.now() + MINUTE_MS) }
  const params = { class: MALLORY, instance_id, narrowing, until }
  const made = await stage.act('SPAWN_INSTANCE', params)
  return made?.body.execution?.status === 'SUCCESS' ? instance_id : null
}

export const INSTANCE_TRICKS: readonly Trick[] = [
  {
    name: 'remove_the_end_of_an_instance',
    goal: 'broken_ledger',
    patch: 'narrowing-removes-the-end',
    attempt: async (stage) => void (await instance(stage, { effective_until: null })),
  },
  {
    name: 'leave_out_what_a_limit_is_about',
    goal: 'effect_outside_contract',
    patch: 'limits-reach-reserved-kinds-unnamed',
    async attempt(stage) {
      const { limits } = contractOf(MALLORY).permissions
      const silent = limits.map((limit) => {
        const { applies_to: _, ...rest } = limit
        return limit.id === HANDED_TO.id ? rest : limit
      })
      const agent = await instance(stage, { permissions: { limits: silent } })
      if (agent === null) return
      const opened = await stage.wire.as(agent, 'POST', '/v1/flows', { trigger: 'x' })
      if (opened.status !== 201) return
      const answer = await stage.wire.as(agent, 'POST', `/v1/flows/${opened.body.dfid}/proposals`, {
        ...claimed(opened.body),
        policy_kind: 'SPAWN_CHILD',
        params: { agent: VICTIM, trigger: 'x' },
      })
      if (answer.body.outcome === 'ACCEPTED')
        stage.taken.push({
          goal: 'effect_outside_contract',
          detail: `work was handed to ${VICTIM} by an instance of ${MALLORY}`,
        })
    },
  },
]
