/**
 * Those who make instances for an occasion and end them while they act, and those who come with a
 * token: their own, one from before they were stopped, or one that they made up.
 */
import type { Answer } from 'rubicon-kernel'
import { issueWrit } from '../../runtime/src/engine/authority/writs.ts'
import { drawSensibleWish, open, type Scene, say } from './agents.ts'
import { call } from './call.ts'
import { createCanary } from './canary.ts'
import { AGENTS, type AgentName, DESK } from './contracts.ts'

const DEEDS = { occasion: 3, proposed: 3, session: 3, intrude: 3, lend: 2, nothing: 4 } as const

export async function simulateRegistrar(scene: Scene): Promise<void> {
  const tokens: string[] = []
  while (!scene.enough()) {
    await scene.time.sleep(scene.rng.drawBetween(1, 3 * scene.swarm.pauseMs + 200))
    const agent = scene.rng.pick(AGENTS)
    const deed = scene.rng.pickWeighted(DEEDS)
    if (deed === 'occasion') await playOccasion(scene, agent)
    if (deed === 'proposed') await playProposedInstance(scene, agent)
    if (deed === 'session') await playSession(scene, agent, tokens)
    if (deed === 'intrude') await intrude(scene, agent)
    if (deed === 'lend') await lend(scene, agent)
  }
}

/** Ended in the middle of what it does, or after it; asked for twice where an answer was lost. */
async function playOccasion(scene: Scene, agent: AgentName): Promise<void> {
  const { rng } = scene
  const instance = `${agent}-${rng.drawBelow(1_000_000)}`
  const request = { class: agent, instance, narrowing: { priority: rng.drawBetween(50, 60) } }
  const spawned = await call(scene, (engine) => engine.instances.spawn(request))
  if (spawned === null) await call(scene, (engine) => engine.instances.spawn(request))
  const opened = await open(scene, { agent: instance, trigger: 'occasion', steps: 'many' })
  const end = (): Promise<unknown> =>
    call(scene, (engine) => engine.instances.end(instance, 'the occasion is over'))
  if (opened !== null)
    await Promise.all([
      say(scene, opened, drawSensibleWish(scene, agent), 'step-1'),
      say(scene, opened, drawSensibleWish(scene, agent), 'step-2'),
      rng.drawChance(0.3) ? end() : null,
    ])
  if (opened !== null && rng.drawChance(0.3)) {
    const reason = createCanary('story')
    await say(scene, opened, { policy_kind: 'RETIRE', params: { reason } }, 'retire')
  }
  await end()
}

/** Made by a proposal of itself, of the desk or of a stranger; it acts while its occasion ends. */
async function playProposedInstance(scene: Scene, agent: AgentName): Promise<void> {
  const { rng } = scene
  const spawner = rng.pick([agent, DESK, 'trader'])
  const opened = await open(scene, { agent: spawner, trigger: 'a busy day', steps: 'many' })
  if (opened === null) return
  const { dfid, opened_at } = opened.flow
  const instance_id = `${agent}-${rng.drawBelow(1_000_000)}`
  const at = new Date(Date.parse(opened_at) + rng.drawBetween(500, 30_000)).toISOString()
  const until = rng.drawChance(0.5) ? { flow: dfid } : { at }
  const params = { class: agent, instance_id, until }
  await say(scene, opened, { policy_kind: 'SPAWN_INSTANCE', params }, 'spawn')
  const own = await open(scene, { agent: instance_id, trigger: 'occasion', steps: 'many' })
  const end = (): Promise<unknown> => call(scene, (engine) => engine.close(dfid))
  if (own !== null)
    await Promise.all([
      say(scene, own, drawSensibleWish(scene, agent), 'step-1'),
      rng.drawChance(0.3) ? end() : null,
    ])
  if (rng.drawChance(0.7)) await end()
  if (own === null) return
  await scene.time.sleep(rng.drawBetween(0, 3000))
  await say(scene, own, drawSensibleWish(scene, agent), 'step-2')
}

/** With a session of its own: below a flow of somebody else, or where no flow belongs. */
async function intrude(scene: Scene, agent: AgentName): Promise<void> {
  const { rng } = scene
  const greeted = await call(scene, (engine) => engine.handshake({ agent }))
  if (greeted?.ok !== true || scene.opened.length === 0) return
  const { dfid: parent } = rng.pick(scene.opened).flow
  const trajectory = rng.pick(['authority', 'erasure', 'nowhere'])
  const where = rng.drawChance(0.5) ? { parent, budget: { calls: '50' } } : { trajectory }
  const request = { agent, trigger: 'intrusion', ...where, session: greeted.value.session_token }
  const opened = await call(scene, (engine) => engine.open(request))
  if (opened === null) return
  scene.note(`intrusion of ${agent}: ${opened.ok ? 'opened' : opened.error.code}`)
  if (!opened.ok) return
  scene.opened.push(opened.value)
  await say(scene, opened.value, drawSensibleWish(scene, agent), 'step-1')
}

/** A writ issued by hand, named in a flow whose own is revoked meanwhile. */
async function lend(scene: Scene, agent: AgentName): Promise<void> {
  const { rng } = scene
  const opened = await open(scene, { agent, trigger: 'lent', steps: 'many' })
  const issued = await call(scene, ({ context }) => issueWrit(context, { agent }))
  if (opened === null || issued?.ok !== true) return
  const extra = { writ_id: issued.value.id }
  const { id } = opened.writ
  const revoke = async (): Promise<void> => {
    await scene.time.sleep(rng.drawBetween(0, 400))
    const revocation = { target: 'writ', id, reason: 'storm' } as const
    const done = await call(scene, (engine) => engine.revoke(revocation))
    if (done?.ok === true) scene.acknowledge({ kind: 'revoked', seq: done.value.seq, target: id })
  }
  const act = (step: string): Promise<unknown> =>
    say(scene, opened, { ...drawSensibleWish(scene, agent), extra }, step)
  await Promise.all([act('step-1'), revoke()])
  await act('step-2')
}

async function playSession(scene: Scene, agent: AgentName, tokens: string[]): Promise<void> {
  const { rng } = scene
  const schema_version = rng.pick(['1.2', '1.5', '2.0'])
  const greeted = await call(scene, (engine) => engine.handshake({ agent, schema_version }))
  if (greeted?.ok === true) tokens.push(greeted.value.session_token)
  const opened = await open(scene, { agent, trigger: 'session' })
  if (opened === null) return
  const token =
    tokens.length === 0 || rng.drawChance(0.2) ? `rbs_${'A'.repeat(43)}` : rng.pick(tokens)
  const { dfid } = opened.flow
  const { policy_kind, params } = drawSensibleWish(scene, agent)
  const proposal = { policy_kind, params }
  if (!scene.propose()) return
  const answer: Answer | null = await call(scene, (engine) =>
    engine.propose(dfid, proposal, { session: token, waitMs: 1000 }),
  )
  if (answer === null) return
  scene.note(`in session ${dfid} ${answer.outcome} ${answer.reason_code ?? ''}`)
  scene.acknowledge({ kind: 'answered', answer })
}
