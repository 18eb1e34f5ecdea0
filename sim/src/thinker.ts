/**
 * Agents that ask a model before they act: often more than one at once, now and then for more than they may spend, and
 * they propose what it says, whatever that is.
 */
import type { JsonObject } from 'rubicon-kernel'
import type { OpenedFlow } from '../../runtime/src/engine/rows/opened-flow.ts'
import { drawSensibleWish, open, type Scene, say, type Wish } from './agents.ts'
import { call } from './call.ts'
import { AGENTS, type AgentName, MAX_TOKENS } from './contracts.ts'
import { drawToolWish } from './tools.ts'

export async function simulateThinker(scene: Scene): Promise<void> {
  const { rng, time, swarm } = scene
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(0, swarm.pauseMs))
    const agent = rng.pick(AGENTS)
    const opened = await open(scene, { agent, trigger: 'a question', steps: 'many' })
    if (opened === null) continue
    for (let turn = 1; turn <= rng.drawBetween(1, 3); turn++)
      await think(scene, opened, agent, turn)
    if (rng.drawChance(0.3)) await call(scene, (engine) => engine.close(opened.flow.dfid))
  }
}

async function think(
  scene: Scene,
  opened: OpenedFlow,
  agent: AgentName,
  turn: number,
): Promise<void> {
  const { rng } = scene
  const questions = rng.drawBetween(1, 3)
  const wishes = await Promise.all(
    Array.from({ length: questions }, () => askModel(scene, opened, drawThought(scene, agent))),
  )
  for (const [index, wish] of wishes.entries())
    if (wish !== null) await say(scene, opened, wish, `thought-${turn}-${index}`)
}

function drawThought(scene: Scene, agent: AgentName): Wish {
  return scene.rng.drawChance(0.5) ? drawToolWish(scene.rng) : drawSensibleWish(scene, agent)
}

/** Null: nothing came of it that could be proposed. */
async function askModel(
  scene: Scene,
  { flow: { dfid } }: OpenedFlow,
  wish: Wish,
): Promise<Wish | null> {
  const { rng, note } = scene
  const max_tokens = rng.drawChance(0.1) ? MAX_TOKENS : rng.drawBetween(20, 900)
  const text = `question ${scene.drawQuestion()} ${JSON.stringify(wish)}`
  const messages = [{ role: 'user', text }] as const
  const answer = await call(scene, (engine) =>
    engine.generate(dfid, { model: 'm', messages, max_tokens }),
  )
  if (answer === null) return null
  note(`generated ${dfid} ${answer.ok ? answer.value.state : answer.error.code}`)
  if (!answer.ok) return null
  const { generation_id, used, calls } = answer.value
  scene.acknowledge({ kind: 'generated', generation_id, dfid, used })
  const [said] = calls
  return said === undefined ? null : parseWish(said.arguments)
}

/** It wrote this itself: the model only repeats. */
function parseWish(text: string): Wish {
  const { policy_kind, params } = JSON.parse(text) as { policy_kind: string; params: JsonObject }
  return { policy_kind, params }
}
