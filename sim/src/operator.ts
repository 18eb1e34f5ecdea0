/** People with keys, who act whenever they like; and those who drive what does not drive itself. */
import { formatInstant } from 'rubicon-kernel'
import { continueSagas } from '../../runtime/src/engine/compensate/continue.ts'
import { carryOutAccepted } from '../../runtime/src/engine/effect/carry-out.ts'
import type { Engine } from '../../runtime/src/engine/engine.ts'
import type { Scene } from './agents.ts'
import { call } from './call.ts'
import { type ContractName, EVERYBODY, getStormContract } from './contracts.ts'

const DEEDS = {
  nothing: 4,
  revoke_writ: 3,
  revoke_contract: 0.5,
  kill: 0.3,
  suspend: 1.5,
  deploy: 2,
  checkpoint: 4,
} as const

/** Deploys what the storm needs, then interferes until it is over. */
export async function simulateOperator(scene: Scene, patches: Map<string, number>): Promise<void> {
  const { rng, time } = scene
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, 2 * scene.swarm.pauseMs + 500))
    const agent = rng.pick(EVERYBODY)
    switch (rng.pickWeighted(DEEDS)) {
      case 'revoke_writ':
        await revokeWrit(scene)
        break
      case 'revoke_contract':
        await revoke(scene, 'contract', agent)
        await time.sleep(rng.drawBetween(1, 3000))
        await deploy(scene, agent, patches, false)
        break
      case 'kill':
        await kill(scene, agent)
        await time.sleep(rng.drawBetween(1, 3000))
        await deploy(scene, agent, patches, false)
        break
      case 'suspend':
        await move(scene, agent, 'SUSPENDED')
        await time.sleep(rng.drawBetween(1, 8000))
        break
      case 'deploy':
        await deploy(scene, agent, patches, rng.drawChance(0.3))
        break
      case 'checkpoint':
        await call(scene, (engine) => engine.checkpoint())
        break
      case 'nothing':
        break
    }
    if (rng.drawChance(0.4)) for (const one of EVERYBODY) await move(scene, one, 'ACTIVE')
  }
}

/** Drives an engine that does nothing by itself. */
export async function simulateDriver(scene: Scene): Promise<void> {
  while (!scene.enough()) {
    await scene.time.sleep(scene.rng.drawBetween(50, scene.alarmed ? 400 : 2000))
    await call(scene, drive)
  }
}

/** What an engine with a background does by itself. */
export async function drive(engine: Engine): Promise<void> {
  await engine.reconcile()
  await engine.context.advisers.round()
  await engine.oversight.sweepMonitors()
  await engine.runDue()
  await engine.bus.send()
}

const NAPS = [20, 300, 2000, 12_000, 40_000]

/** An executor elsewhere: it comes by when it likes, and carries out what was accepted by then. */
export async function simulateExecutor(scene: Scene): Promise<void> {
  while (!scene.enough()) {
    await scene.time.sleep(scene.rng.drawBetween(1, scene.rng.pick(NAPS)))
    await carryOut(scene)
  }
}

export async function carryOut(scene: Scene): Promise<void> {
  await call(scene, async ({ context }) => {
    await carryOutAccepted(context)
    await continueSagas(context)
  })
}

async function revokeWrit(scene: Scene): Promise<void> {
  const { opened, rng } = scene
  const recent = opened.slice(-8)
  if (recent.length > 0) await revoke(scene, 'writ', rng.pick(recent).writ.id)
}

async function revoke(scene: Scene, target: 'writ' | 'contract', id: string): Promise<void> {
  const done = await call(scene, (engine) => engine.revoke({ target, id, reason: 'storm' }))
  if (done?.ok === true) scene.acknowledge({ kind: 'revoked', seq: done.value.seq, target: id })
}

async function kill(scene: Scene, agent: string): Promise<void> {
  const done = await call(scene, (engine) => engine.kill(agent, 'storm'))
  if (done?.ok === true) scene.acknowledge({ kind: 'revoked', seq: done.value.seq, target: agent })
}

async function move(scene: Scene, agent_id: string, to: 'SUSPENDED' | 'ACTIVE'): Promise<void> {
  await call(scene, (engine) =>
    engine.moveAgent({ agent_id, to, actor: 'operator', justification: 'storm' }),
  )
}

async function deploy(
  scene: Scene,
  agent: ContractName,
  patches: Map<string, number>,
  revokePrevious: boolean,
): Promise<void> {
  const patch = (patches.get(agent) ?? 0) + 1
  patches.set(agent, patch)
  const { rng, swarm, site } = scene
  const isLater = !revokePrevious && rng.drawChance(0.2)
  const now = Math.max(...site.machines.map(({ clock }) => clock.getNow()))
  const from = isLater ? formatInstant(now + rng.drawBetween(1, 20_000)) : undefined
  const contract = getStormContract(agent, patch, swarm.flowBudgetUsd, from)
  const done = await call(scene, (engine) => engine.deploy(contract, { revokePrevious }))
  if (done?.ok === false) scene.note(`not deployed: ${done.error.code}`)
}
