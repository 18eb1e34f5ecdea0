/**
 * Agents that know at once what they want: they act on what somebody was shown before, each time under a
 * key of its own, and ask again under it where the answer was lost.
 */
import { LIMITS } from 'rubicon-kernel'
import type { ActRequest } from '../../runtime/src/engine/decide/act.ts'
import type { Engine } from '../../runtime/src/engine/engine.ts'
import { performUnderClaim } from '../../server/src/http/gate/idempotency.ts'
import type { Reply } from '../../server/src/http/schemas/route.ts'
import { drawSensibleWish, type Scene } from './agents.ts'
import { toKeyedTrigger } from './audit/acts.ts'
import { call } from './call.ts'
import { AGENTS, type AgentName } from './contracts.ts'
import { drawTraderWish } from './trader.ts'

export async function simulateActor(scene: Scene): Promise<void> {
  for (let key = 0; !scene.enough(); key++) {
    await scene.time.sleep(scene.rng.drawBetween(0, scene.swarm.pauseMs))
    await actUntilAnswered(scene, drawAct(scene, scene.rng.pick(AGENTS), key), `key ${key}`)
  }
}

function drawAct(scene: Scene, agent: AgentName, key: number): ActRequest {
  const { rng } = scene
  const trigger = toKeyedTrigger(key)
  if (rng.drawChance(0.5)) {
    const { policy_kind, params } = drawSensibleWish(scene, agent)
    return { agent, trigger, policy_kind, params }
  }
  const shown = scene.opened.findLast(({ working }) => working.state.length > 0)?.working
  const isByVersion = rng.drawChance(0.1)
  const seen = (shown?.state ?? []).map(({ path, value, version }) => ({
    path,
    ...(isByVersion ? { version } : { value }),
    observed_at: shown?.compiled_at ?? '',
  }))
  const wish = drawTraderWish(rng, agent)
  const { item } = wish.params
  // Who forgets to say what it saw of one of the values cannot act on it.
  const said = seen.filter(({ path }) => path.endsWith(`.${item}`) && !rng.drawChance(0.02))
  return { agent, trigger, ...wish, seen: said }
}

async function actUntilAnswered(scene: Scene, request: ActRequest, key: string): Promise<void> {
  const { rng, time } = scene
  for (let tries = 0; tries < 4; tries++) {
    if (!scene.propose()) return
    const waitMs = rng.pick([0, 1000, 10_000])
    const reply = await call(scene, (engine) =>
      performKeyedAct(scene, engine, request, key, waitMs),
    )
    scene.note(`act ${key} ${reply?.status ?? 'lost'}`)
    if (reply !== null && !rng.drawChance(0.2)) return
    await time.sleep(rng.drawBetween(0, rng.drawChance(0.05) ? LIMITS.replyMs : 2000))
  }
}

function performKeyedAct(
  scene: Scene,
  engine: Engine,
  request: ActRequest,
  key: string,
  waitMs: number,
): Promise<Reply> {
  const { store } = engine.context
  return performUnderClaim(
    store,
    { group: `agent ${request.agent}`, key, body_hash: key },
    async ({ buildFlowClaim }) => {
      const acted = await engine.act(request, { waitMs, beside: buildFlowClaim })
      if (!acted.ok) return { status: 409, body: acted.error }
      const { opened, answer } = acted.value
      scene.note(`answer ${answer.dfid} ${answer.outcome} ${answer.reason_code ?? ''}`)
      scene.acknowledge({ kind: 'answered', answer })
      // Where nothing was recorded, nothing was opened.
      if (answer.trace_id === '') return { status: 503, body: answer }
      scene.opened.push(opened)
      scene.acknowledge({ kind: 'opened', dfid: opened.flow.dfid, writ: opened.writ.id })
      return { status: 200, body: answer }
    },
    async (dfid) => {
      const found = await engine.calls.readAnswer(dfid)
      return found.ok ? { status: 200, body: found.value } : { status: 404, body: found.error }
    },
  )
}
