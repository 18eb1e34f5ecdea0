/**
 * Agents that decide in streams: each decision under an atom, which they asked for before they thought. They use one twice,
 * at once or one after the other, too late, in another flow, for another kind, one that they made up, or none; and authority
 * moves while they think.
 */
import type { SignedAtom } from 'rubicon-kernel'
import type { OpenedFlow } from '../../runtime/src/engine/rows/opened-flow.ts'
import { drawSensibleWish, open, type Scene, say, type Wish } from './agents.ts'
import { call } from './call.ts'
import { AGENTS, type ContractName, getStormContract, STREAMER } from './contracts.ts'

const HABITS = {
  honest: 6,
  twice: 2,
  race: 3,
  hoard: 1,
  expired: 1,
  edge: 1,
  elsewhere: 1.5,
  other_kind: 1.5,
  invented: 0.7,
  none: 1,
  revoked: 2,
  suspended: 1.5,
  redeployed: 1.5,
} as const

/** As long as an atom lasts. */
const LASTS_MS = 60_000
const THOUGHTS_MS = [5, 400, 4000]

export async function simulateStreamer(scene: Scene): Promise<void> {
  let patch = 0
  await deployStreamer(scene, patch)
  while (!scene.enough()) {
    await scene.time.sleep(scene.rng.drawBetween(0, scene.swarm.pauseMs))
    const agent = scene.rng.drawChance(0.6) ? STREAMER : scene.rng.pick(AGENTS)
    const opened = await open(scene, { agent, trigger: 'a stream', steps: 'many' })
    if (opened === null) continue
    const habit = scene.rng.pickWeighted(HABITS)
    if (habit === 'redeployed') patch += 1
    await decide(scene, opened, habit, patch)
  }
}

async function decide(
  scene: Scene,
  opened: OpenedFlow,
  habit: keyof typeof HABITS,
  patch: number,
): Promise<void> {
  const { rng, time } = scene
  const wish = drawStreamWish(scene, opened)
  if (habit === 'none') return say(scene, opened, wish, 'step-1')
  if (habit === 'invented')
    return say(scene, opened, nameAtom(wish, `sha256:${'0'.repeat(64)}`), 'step-1')
  const atom = await issue(scene, opened, habit === 'other_kind' ? wish : null)
  if (atom === null) return
  const bindAtom = (one: Wish) => nameAtom(one, atom.atom_id)
  const use = (step: string, one = wish) => say(scene, opened, bindAtom(one), step)
  if (habit !== 'race') await time.sleep(rng.drawBetween(0, rng.pick(THOUGHTS_MS)))
  switch (habit) {
    case 'honest':
      await use('step-1')
      // The next decision of the stream, with the next atom.
      return decideNext(scene, opened, 'step-2')
    case 'twice':
      await use('step-1')
      return use('step-2', drawStreamWish(scene, opened))
    case 'race':
      await Promise.all([use('step-1'), use('step-2', drawStreamWish(scene, opened))])
      return
    case 'hoard':
      for (let more = 0; more < 6; more++) await issue(scene, opened, null)
      return use('step-1')
    case 'expired':
      await time.sleep(rng.drawBetween(LASTS_MS, 2 * LASTS_MS))
      return use('step-1')
    case 'edge':
      await time.sleep(rng.drawBetween(LASTS_MS - 5000, LASTS_MS + 1000))
      return use('step-1')
    case 'elsewhere': {
      const { agent_id: agent } = opened.flow
      const other = await open(scene, { agent, trigger: 'another stream', steps: 'many' })
      return say(scene, other ?? opened, bindAtom(wish), 'step-1')
    }
    case 'other_kind':
      return use('step-1', { policy_kind: 'ORDER', params: { sku: 'item-1', quantity: 1 } })
    case 'revoked':
      await Promise.all([revokeWrit(scene, opened), use('step-1')])
      return use('step-2')
    case 'suspended':
      await Promise.all([suspendForAWhile(scene, opened.flow.agent_id), use('step-1')])
      return
    case 'redeployed':
      await deployStreamer(scene, patch)
      return use('step-1')
  }
}

async function decideNext(scene: Scene, opened: OpenedFlow, step: string): Promise<void> {
  const atom = await issue(scene, opened, null)
  if (atom === null) return
  await say(scene, opened, nameAtom(drawStreamWish(scene, opened), atom.atom_id), step)
}

/** `only`: for the kind of this one alone. */
async function issue(
  scene: Scene,
  { flow: { dfid } }: OpenedFlow,
  only: Wish | null,
): Promise<SignedAtom | null> {
  const request = only === null ? {} : { policy_kinds: [only.policy_kind] }
  const issued = await call(scene, (engine) => engine.atoms.issue(dfid, request))
  if (issued === null) return null
  scene.note(`atom ${dfid} ${issued.ok ? issued.value.atom_id : issued.error.code}`)
  if (!issued.ok) return null
  scene.issued(issued.value)
  return issued.value
}

function drawStreamWish(scene: Scene, { flow }: OpenedFlow): Wish {
  // The clerk wants what the streamer may do.
  return drawSensibleWish(scene, AGENTS.find((name) => name === flow.agent_id) ?? 'clerk')
}

function nameAtom(wish: Wish, atom_id: string): Wish {
  return { ...wish, extra: { ...wish.extra, atom_id } }
}

async function revokeWrit(scene: Scene, { writ: { id } }: OpenedFlow): Promise<void> {
  await scene.time.sleep(scene.rng.drawBetween(0, 300))
  const revocation = { target: 'writ', id, reason: 'storm' } as const
  const done = await call(scene, (engine) => engine.revoke(revocation))
  if (done?.ok === true) scene.acknowledge({ kind: 'revoked', seq: done.value.seq, target: id })
}

async function suspendForAWhile(scene: Scene, agent_id: string): Promise<void> {
  const { rng, time } = scene
  const move = (to: 'SUSPENDED' | 'ACTIVE'): Promise<unknown> =>
    call(scene, (engine) =>
      engine.moveAgent({ agent_id, to, actor: 'operator', justification: 'storm' }),
    )
  await time.sleep(rng.drawBetween(0, 300))
  await move('SUSPENDED')
  await time.sleep(rng.drawBetween(0, 3000))
  await move('ACTIVE')
}

/** Any entry of authority makes atoms cover nothing, whomever it is about. */
async function deployStreamer(scene: Scene, patch: number): Promise<void> {
  const name: ContractName = STREAMER
  const contract = getStormContract(name, patch, scene.swarm.flowBudgetUsd)
  while ((await call(scene, (engine) => engine.deploy(contract))) === null)
    await scene.time.sleep(100)
}
