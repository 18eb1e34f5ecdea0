/**
 * Agents that say what is not theirs to say: over the prices that they are judged on, over what others
 * claim, and in their own name. And an operator who now and then overrules a price for a while.
 */
import type { Speaker } from '../../runtime/src/engine/observe/speaker.ts'
import type { Scene } from './agents.ts'
import { call } from './call.ts'
import { AGENTS } from './contracts.ts'
import { ITEMS } from './market.ts'

const TRICKS = { price: 3, held: 1, open: 1, drawdown: 1, other: 2, own: 4, overrule: 0.5 } as const

export async function simulateLiar(scene: Scene): Promise<void> {
  const { rng, time, swarm } = scene
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, 4 * swarm.marketMs))
    const agent_id = rng.pick(AGENTS)
    const trick = rng.pickWeighted(TRICKS)
    const speaker: Speaker =
      trick === 'overrule' ? { kind: 'operator' } : { kind: 'agent', agent_id }
    const value = rng.pick([true, '100', 100, '0.01'])
    const path = pickPath(scene, trick, agent_id)
    const said = await call(scene, (engine) => {
      const until = new Date(engine.context.clock.now() + rng.drawBetween(1, 20_000)).toISOString()
      const end = trick === 'overrule' ? { until } : {}
      return engine.contextStore.observe({ path, value, ...end }, speaker)
    })
    if (said?.ok === true) for (const observed of said.value) scene.observed(observed)
    scene.note(`${agent_id} says ${path}: ${said?.ok === false ? said.error.code : said?.ok}`)
  }
}

function pickPath({ rng }: Scene, trick: keyof typeof TRICKS, agent: string): string {
  const item = rng.pick(ITEMS)
  switch (trick) {
    case 'price':
    case 'overrule':
      return `${rng.pick(['price', 'spread'])}.${item}`
    case 'held':
      return `held.${item}`
    case 'open':
      return 'market.open'
    case 'drawdown':
      return `agent.${agent}.drawdown_pct`
    case 'other':
      return `claims.${rng.pick(AGENTS)}.calm`
    case 'own':
      return `claims.${agent}.calm`
  }
}
