/** What an agent keeps over HTTP, how much of it, and what a token that somebody found still tells. */
import { formatInstant, LIMITS } from 'rubicon-kernel'
import { ask } from '../../../../server/src/http/agent-auth/client.ts'
import { MALLORY, TRUDY, VICTIM } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const DAY_MS = 86_400_000

/** Sets a timer, as an agent. */
async function setTimer(
  { wire, clock }: Stage,
  agent: string,
  name: string,
  trigger: string,
): Promise<void> {
  const at = formatInstant(clock.now() + DAY_MS)
  await wire.sendAs(agent, 'PUT', `/v1/agents/${agent}/timers/${name}`, { trigger, at })
}

async function fetchTimers(
  { wire }: Stage,
  agent: string,
): Promise<readonly { name: string; trigger: string }[]> {
  return (await wire.sendAs(agent, 'GET', `/v1/agents/${agent}/timers`)).body.timers ?? []
}

async function dropTimers(stage: Stage, agent: string): Promise<void> {
  for (const { name } of await fetchTimers(stage, agent))
    await stage.wire.sendAs(agent, 'DELETE', `/v1/agents/${agent}/timers/${name}`)
}

export const FOUND_TRICKS: readonly Trick[] = [
  {
    name: 'set_more_timers_than_an_agent_may_have',
    goal: 'unbounded_record',
    patch: 'timers-of-an-agent-not-counted',
    async attempt(stage) {
      for (let i = 0; i <= LIMITS.timersPerAgent; i++)
        await setTimer(stage, MALLORY, `timer-${i}`, 'shelf')
      const { length } = await fetchTimers(stage, MALLORY)
      if (length > LIMITS.timersPerAgent)
        stage.taken.push({ goal: 'unbounded_record', detail: `${length} timers` })
      await dropTimers(stage, MALLORY)
    },
  },
  {
    name: 'take_the_timer_of_another',
    goal: 'anothers_flow',
    patch: 'timer-names-shared',
    async attempt(stage) {
      const name = `${VICTIM}.wake`
      await setTimer(stage, VICTIM, name, 'work')
      await setTimer(stage, MALLORY, name, 'shelf')
      const kept = await fetchTimers(stage, VICTIM)
      if (!kept.some(({ trigger }) => trigger === 'work'))
        stage.taken.push({ goal: 'anothers_flow', detail: 'the timer of the victim is gone' })
      for (const agent of [VICTIM, MALLORY]) await dropTimers(stage, agent)
    },
  },
  {
    name: 'read_the_notes_of_another',
    goal: 'anothers_data',
    patch: 'notes-read-by-anybody',
    async attempt(stage) {
      const path = `/v1/flows/${stage.victims.dfid}/notes`
      await stage.wire.sendAs(VICTIM, 'POST', path, { text: `the code is ${stage.secret}` })
      await stage.get(path)
    },
  },
  {
    name: 'find_out_why_a_token_is_dead',
    goal: 'anothers_data',
    patch: 'dead-session-tells-why',
    async attempt(stage) {
      const found = await stage.wire.getLiveSession(TRUDY)
      const move = (to: 'SUSPENDED' | 'ACTIVE'): Promise<unknown> =>
        stage.engine.moveAgent({ agent_id: TRUDY, to, actor: 'operator', justification: 'looked' })
      await move('SUSPENDED')
      const said = new Set<string>()
      for (const token of [found, `${found.slice(0, -4)}AAAA`]) {
        const { status, body } = await ask({ url: stage.wire.url, token }, 'GET', '/v1/flows')
        said.add(JSON.stringify([status, body]))
      }
      await move('ACTIVE')
      if (said.size > 1)
        stage.taken.push({ goal: 'anothers_data', detail: 'a dead token tells of its agent' })
    },
  },
]
