/** Instances: what their narrowing may not widen, and what ends or stops them. */
import { formatInstant, type JsonObject, parseMonitor } from 'rubicon-kernel'
import { buildShopContract, HANDED_TO, MALLORY, TRUDY, VICTIM } from '../shop.ts'
import { type Stage, toFlowClaims } from '../stage.ts'
import type { Trick } from '../trick.ts'

const MINUTE_MS = 60_000
const goal = 'effect_outside_contract'

/** Of mallory, for a minute; null where it was refused. */
async function spawnInstance(stage: Stage, narrowing: JsonObject): Promise<string | null> {
  const instance_id = `${MALLORY}-${stage.rng.drawBelow(1_000_000)}`
  const until = { at: formatInstant(stage.clock.now() + MINUTE_MS) }
  const params = { class: MALLORY, instance_id, narrowing, until }
  const made = await stage.act('SPAWN_INSTANCE', params)
  return made?.body.execution?.status === 'SUCCESS' ? instance_id : null
}

/** An instance hands work to another agent, which only the ledger would show: the trick says it. */
async function attemptHandover(stage: Stage, from: string | null, agent: string, why: string) {
  if (await tryHandover(stage, from, agent)) stage.taken.push({ goal, detail: why })
}

async function tryHandover(stage: Stage, from: string | null, agent: string): Promise<boolean> {
  const handed = { policy_kind: 'SPAWN_CHILD', params: { agent, trigger: 'x' } }
  return (await proposeAs(stage, from, handed))?.outcome === 'ACCEPTED'
}

/** In a flow of its own; the answer, or null where there is none. */
async function proposeAs(stage: Stage, agent: string | null, proposal: JsonObject) {
  if (agent === null) return null
  const opened = await stage.wire.sendAs(agent, 'POST', '/v1/flows', { trigger: 'x' })
  if (opened.status !== 201) return null
  const { body } = await stage.wire.sendAs(
    agent,
    'POST',
    `/v1/flows/${opened.body.dfid}/proposals`,
    {
      ...toFlowClaims(opened.body),
      ...proposal,
    },
  )
  return body
}

/** Mallory is to pause from here on, or no more. */
async function setPausing(stage: Stage, pause_on_escalation: boolean): Promise<void> {
  const contract = buildShopContract(MALLORY, `1.1.${stage.advanceVersion()}`)
  const safety_rules = { ...contract.safety_rules, pause_on_escalation }
  await stage.runtime.deploy({ ...contract, safety_rules })
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
async function runWhileWatched({ oversight }: Stage['engine'], work: () => Promise<void>) {
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
    attempt: async (stage) => void (await spawnInstance(stage, { effective_until: null })),
  },
  {
    name: 'act_through_an_instance_when_stopped',
    goal,
    patch: 'instances-outlive-their-class',
    async attempt(stage) {
      const agent = await spawnInstance(stage, {})
      await suspend(stage)
      await attemptHandover(stage, agent, TRUDY, `an instance acted while ${MALLORY} was suspended`)
    },
  },
  {
    name: 'hide_from_a_monitor_behind_instances',
    goal,
    patch: 'instances-watched-by-themselves',
    attempt: (stage) =>
      runWhileWatched(stage.engine, async () => {
        let handed = 0
        for (let count = 0; count < 3; count++) {
          if (await tryHandover(stage, await spawnInstance(stage, {}), TRUDY)) handed += 1
          await stage.engine.oversight.sweepMonitors()
        }
        if (handed > 2) stage.taken.push({ goal, detail: `instances handed on ${handed} in a row` })
      }),
  },
  {
    name: 'serve_another_mission_by_the_next_instance',
    goal,
    patch: 'dissonant-class-goes-on',
    async attempt(stage) {
      const mission_context_hash = `sha256:${'0'.repeat(64)}`
      const params = { agent: TRUDY, trigger: 'x' }
      const other = { policy_kind: 'SPAWN_CHILD', mission_context_hash, params }
      await proposeAs(stage, await spawnInstance(stage, {}), other)
      const next = await spawnInstance(stage, {})
      if (next !== null) stage.taken.push({ goal, detail: `${next} follows a dissonant instance` })
    },
  },
  {
    name: 'act_through_an_instance_while_another_waits',
    goal,
    patch: 'instances-go-on-while-their-class-pauses',
    async attempt(stage) {
      await setPausing(stage, true)
      const [first, second] = [await spawnInstance(stage, {}), await spawnInstance(stage, {})]
      const lost = { policy_kind: 'ESCALATE', params: { reason: 'lost' } }
      if ((await proposeAs(stage, first, lost)) !== null)
        await attemptHandover(
          stage,
          second,
          TRUDY,
          'an instance acted while another of its class waited',
        )
      await setPausing(stage, false)
    },
  },
  {
    name: 'go_on_below_an_instance_that_has_ended',
    goal,
    patch: 'what-was-delegated-goes-on',
    async attempt(stage) {
      const agent = await spawnInstance(stage, {})
      const part = { agent: MALLORY, trigger: 'x', steps: 'many' }
      const below = await proposeAs(stage, agent, { policy_kind: 'SPAWN_CHILD', params: part })
      const dfid = below?.execution?.result?.dfid
      if (agent === null || dfid === undefined) return
      await stage.engine.instances.end(agent, 'she was seen')
      const handed = { policy_kind: 'SPAWN_CHILD', params: { agent: TRUDY, trigger: 'x' } }
      const { body } = await stage.sendPost(`/v1/flows/${dfid}/proposals`, handed)
      const detail = `${MALLORY} went on below an instance that had ended`
      if (body.outcome === 'ACCEPTED') stage.taken.push({ goal, detail })
    },
  },
  {
    name: 'leave_out_what_a_limit_is_about',
    goal,
    patch: 'limits-reach-reserved-kinds-unnamed',
    async attempt(stage) {
      const { limits } = buildShopContract(MALLORY).permissions
      const silent = limits.map((limit) => {
        const { applies_to: _, ...rest } = limit
        return limit.id === HANDED_TO.id ? rest : limit
      })
      const agent = await spawnInstance(stage, { permissions: { limits: silent } })
      await attemptHandover(
        stage,
        agent,
        VICTIM,
        `an instance of ${MALLORY} handed work to ${VICTIM}`,
      )
    },
  },
]
