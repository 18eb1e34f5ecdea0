/**
 * Agents that listen to the bus in the process that they run in, some on topics that are none of their business. Several of one
 * agent hear of the same flow: each asks for it, and who gets it works on it.
 */
import type { WakeHint } from '../../runtime/src/engine/flow/bus-hints.ts'
import type { Scene } from './agents.ts'
import { call, callProcess } from './call.ts'
import { EVERYBODY } from './contracts.ts'
import { work } from './desk.ts'

/** The last three are named by no contract. */
const TOPICS = ['alarm.*', 'alarm.item-0', 'alarm.item-1', '*', 'price.*', 'alarm'] as const
/** A flow may open a while after it was told of. */
const TRIES = 3

export async function simulateListener(scene: Scene): Promise<void> {
  const { rng, time, site, swarm } = scene
  for (let replica = 1; !scene.enough(); replica++) {
    await time.sleep(rng.drawBetween(1, swarm.pauseMs + 200))
    const process = await site.process()
    const agent = rng.pick(EVERYBODY)
    const topic = rng.pick(TOPICS)
    const hear = (hint: WakeHint): void => {
      scene.note(`${agent} hears ${hint.dfid}`)
      scene.heard({ agent, ...hint })
      scene.hand(() => answer(scene, agent, `replica-${replica}`, hint))
    }
    const subscribed = await callProcess(process, scene, (engine) =>
      engine.bus.subscribe(agent, topic, hear),
    )
    if (subscribed?.ok !== true) scene.note(`not heard: ${subscribed?.error.code ?? 'no answer'}`)
    else if (rng.drawChance(0.2))
      time.schedule(rng.drawBetween(1, 20_000), () => void subscribed.value())
  }
}

async function answer(
  scene: Scene,
  agent: string,
  replica: string,
  { dfid, event_id }: WakeHint,
): Promise<void> {
  const { rng, time, swarm } = scene
  for (let tries = 0; tries < TRIES; tries++) {
    await time.sleep(rng.drawBetween(0, swarm.pauseMs))
    const claimed = await call(scene, (engine) => engine.timers.claim(dfid, replica))
    if (claimed?.ok === true) {
      // Now and then whoever has it dies with it.
      if (rng.drawChance(0.2)) return
      return work(scene, { flow: { dfid, agent_id: agent, event: event_id } })
    }
    if (claimed !== null && claimed.error.code !== 'FLOW_NOT_OPEN') return
  }
}
