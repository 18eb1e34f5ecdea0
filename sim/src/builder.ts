/**
 * An agent that does jobs of several steps, of which the last may fail; that gives work to others, and
 * asks for a person. What it leaves half done is for whoever is above it.
 */

import type { OpenedFlow } from '../../runtime/src/engine/rows/opened-flow.ts'
import { drawSensibleWish, open, type Scene, say, submitProposal, type Wish } from './agents.ts'
import { createCanary } from './canary.ts'
import { type AgentName, MAX_QUANTITY } from './contracts.ts'
import { NOBODY } from './provider.ts'
import { putRight } from './reviewer.ts'
import type { Rng } from './rng.ts'

const DEEDS = { job: 7, spawn: 2, nested: 3, ask: 0.7, failing: 1 } as const

export async function simulateBuilder(scene: Scene): Promise<void> {
  const { rng, time, swarm } = scene
  // Everybody else may be done before it has begun.
  for (let jobs = 0; jobs === 0 || !scene.enough(); jobs++) {
    await time.sleep(rng.drawBetween(0, swarm.pauseMs))
    const agent = rng.pickWeighted({ builder: 7, trader: 1, clerk: 1 })
    const trigger = `job ${createCanary('trigger')}`
    const opened = await open(scene, { agent, trigger, steps: 'many' })
    if (opened === null) continue
    switch (agent === 'builder' ? rng.pickWeighted(DEEDS) : 'job') {
      case 'job':
        await playJob(scene, opened)
        break
      case 'spawn':
        await spawn(scene, opened)
        break
      case 'nested':
        await playNestedJobs(scene, opened)
        break
      case 'ask': {
        const reason = `unsure ${createCanary('story')}`
        await say(scene, opened, { policy_kind: 'ESCALATE', params: { reason } }, 'ask')
        break
      }
      case 'failing':
        for (let step = 1; step <= 3; step++) await say(scene, opened, hopeless, `step-${step}`)
        break
    }
  }
}

const hopeless: Wish = { policy_kind: 'PAY', params: { to: NOBODY, amount: '1' } }

/** Two or three steps, and then often one that nobody can carry out. */
async function playJob(scene: Scene, opened: OpenedFlow): Promise<void> {
  const { rng } = scene
  const agent = opened.flow.agent_id as AgentName
  const steps = rng.drawBetween(2, 3)
  for (let step = 1; step <= steps; step++) {
    const wish = rng.drawChance(0.2) ? drawSensibleWish(scene, agent) : payOrOrder(rng)
    await say(scene, opened, wish, `step-${step}`)
  }
  if (rng.drawChance(0.6)) await say(scene, opened, hopeless, 'last')
}

function payOrOrder(rng: Rng): Wish {
  const item = `part-${rng.drawBelow(3)}`
  if (rng.drawChance(0.5)) {
    const params = { to: item, amount: String(rng.drawBetween(1, 6)), memo: createCanary('memo') }
    return { policy_kind: 'PAY', params }
  }
  const params = {
    sku: item,
    quantity: rng.drawBetween(1, MAX_QUANTITY / 5),
    memo: createCanary('memo'),
  }
  return { policy_kind: 'ORDER', params }
}

/** Half a job below half a job: people put one of them right, and agents choose about the other. */
async function playNestedJobs(scene: Scene, opened: OpenedFlow): Promise<void> {
  const { rng } = scene
  const { dfid: parent } = opened.flow
  await say(scene, opened, payOrOrder(rng), 'own')
  const child = await open(scene, { agent: 'clerk', trigger: 'part', parent, steps: 'many' })
  if (child === null) return
  await say(scene, child, payOrOrder(rng), 'step-1')
  await say(scene, child, hopeless, 'last')
  if (rng.drawChance(0.5)) await putRight(scene, rng.pick([parent, child.flow.dfid]))
}

/** Children that get their work from whoever is handed their flow, and a step of its own. */
async function spawn(scene: Scene, opened: OpenedFlow): Promise<void> {
  const { rng } = scene
  await say(scene, opened, payOrOrder(rng), 'own')
  for (let child = 1; child <= rng.drawBetween(1, 2); child++) {
    const agent = rng.pick(['clerk', 'builder', 'keeper'])
    const params = { agent, trigger: `part ${child}` }
    await say(scene, opened, { policy_kind: 'SPAWN_CHILD', params }, `child-${child}`)
  }
  if (rng.drawChance(0.3)) await submitProposal(scene, opened, { policy_kind: 'SPAWN_CHILD' })
}
