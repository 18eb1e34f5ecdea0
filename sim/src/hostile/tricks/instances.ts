/** Instances: what their narrowing may not widen, and what ends or stops them. */
import { formatInstant, type JsonObject, parseMonitor } from 'rubicon-kernel'
import { contractOf, HANDED_TO, MALLORY, TRUDY, VICTIM } from '../shop.ts'
import { claimed, type Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const MINUTE_MS = 60_000
const goal = 'effect_outside_contract'

/** Of mallory, for a minute; null where it was refused. */
async function instance(stage: Stage, narrowing: JsonObject): Promise<string | null> {
  const instance_id = `${MALLORY}-${stage.rng.below(1_000_000)}`
  const until = { at: formatInstant(stage.clock.now() + MINUTE_MS) }
  const params = { class: MALLORY, instance_id, narrowing, until }
  const made = await stage.act('SPAWN_INSTANCE', params)
  return made?.body.execution?.status === 'SUCCESS' ? instance_id : null
}

/** An instance hands work to another agent, which only the ledger would show: the trick says it. */
async function handOn(stage: Stage, from: string | null, agent: string, why: string) {
  if (await handedOn(stage, from, agent)) stage.taken.push({ goal, detail: why })
}

async function handedOn(stage: Stage, from: string | null, agent: string): Promise<boolean> {
  if (from === null) return false
  const opened = await stage.wire.as(from, 'POST', '/v1/flows', { trigger: 'x' })
  if (opened.status !== 201) return false
  const answer = await stage.wire.as(from, 'POST', `/v1/flows/${opened.body.dfid}/proposals`, {
    ...claimed(opened.body),
    policy_kind: 'SPAWN_CHILD',
    params: { agent, trigger: 'x' },
  })
  return answer.body.outcome === 'ACCEPTED'
}

/** Two things handed on in a row, and mallory is stopped. */
const HANDS_ON = parseMonitor({
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'hands_on',
  agents: [MALLORY],
  policy_kinds: ['SPAWN_CHILD'],
  statistic: { kind: 'streak', value: 'status', when: { is: 'SUCCESS' }, length: 2 },
})

/** While mallory is watched. */
async function whileWatched({ oversight }: Stage['engine'], work: () => Promise<void>) {
  if (!HANDS_ON.ok) throw new Error(JSON.stringify(HANDS_ON.error))
  const deployed = await oversight.deployMonitor(HANDS_ON.value)
  if (!deployed.ok) throw new Error(deployed.error.summary)
  await work()
  await oversight.withdrawMonitor(HANDS_ON.value.name, 'the day is over')
}

/** Somebody stops mallory. */
async function suspend({ engine }: Stage): Promise<void> {
  const why = { actor: 'operator', justification: 'she was seen' } as const
  const moved = await engine.moveAgent({ agent_id: MALLORY, to: 'SUSPENDED', ...why })
  if (!moved.ok) throw new Error(moved.error.summary)
}

export const INSTANCE_TRICKS: readonly Trick[] = [
  {
    name: 'remove_the_end_of_an_instance',
    goal: 'broken_ledger',
    patch: 'narrowing-removes-the-end',
    attempt: async (stage) => void (await instance(stage, { effective_until: null })),
  },
  {
    name: 'act_through_an_instance_when_stopped',
    goal,
    patch: 'instances-outlive-their-class',
    async attempt(stage) {
      const agent = await instance(stage, {})
      await suspend(stage)
      await handOn(stage, agent, TRUDY, `an instance acted while ${MALLORY} was suspended`)
    },
  },
  {
    name: 'hide_from_a_monitor_behind_instances',
    goal,
    patch: 'instances-watched-by-themselves',
    attempt: (stage) =>
      whileWatched(stage.engine, async () => {
        let handed = 0
        for (let count = 0; count < 3; count++) {
          if (await handedOn(stage, await instance(stage, {}), TRUDY)) handed += 1
          await stage.engine.oversight.sweepMonitors()
        }
        if (handed > 2) stage.taken.push({ goal, detail: `instances handed on ${handed} in a row` })
      }),
  },
  {
    name: 'leave_out_what_a_limit_is_about',
    goal,
    patch: 'limits-reach-reserved-kinds-unnamed',
    async attempt(stage) {
      const { limits } = contractOf(MALLORY).permissions
      const silent = limits.map((limit) => {
        const { applies_to: _, ...rest } = limit
        return limit.id === HANDED_TO.id ? rest : limit
      })
      const agent = await instance(stage, { permissions: { limits: silent } })
      await handOn(stage, agent, VICTIM, `an instance of ${MALLORY} handed work to ${VICTIM}`)
    },
  },
]
