/** The storm: everybody acts at once, and everything goes wrong. */
import { simulateActor } from './actor.ts'
import { type Scene, simulateAgent } from './agents.ts'
import { simulateAlarms } from './alarms.ts'
import { simulateBanker } from './banker.ts'
import { simulateBuilder } from './builder.ts'
import { call } from './call.ts'
import { simulateCaller } from './caller.ts'
import { type ContractName, EVERYBODY, getStormContract } from './contracts.ts'
import { playCrafts } from './crafts/play-crafts.ts'
import { simulateDeployer } from './deployer.ts'
import { simulateInspector } from './inspector.ts'
import { type HeldKeys, simulateAsker, simulateKeyHolders } from './key-holders.ts'
import { simulateLiar } from './liar.ts'
import { simulateListener } from './listener.ts'
import { simulateLocalOperator } from './local-operator.ts'
import { simulateMarket } from './market.ts'
import { simulateMeddler } from './meddler.ts'
import { getStormMonitor } from './monitor.ts'
import { simulateDriver, simulateExecutor, simulateOperator } from './operator.ts'
import { meetPeople, simulatePeople } from './people.ts'
import { simulateRegistrar } from './registrar.ts'
import { simulateReviewer } from './reviewer.ts'
import { simulateStreamer } from './streamer.ts'
import type { Faults } from './swarm.ts'
import { simulateThinker } from './thinker.ts'
import { simulateBrokenClock, simulateTimeService } from './time-service.ts'
import { simulateTrader } from './trader.ts'

/** Whoever decides under atoms or with proofs, or on artifacts, beside each other; the others step back. */
const CROWD = ['one', 'two', 'three', 'four', 'five', 'six'] as const

/** Whose clients ask for one thing twice. */
const CALLERS = ['anna', 'bert', 'carl', 'dora', 'emil'] as const

export async function playStorm(scene: Scene, faults: Faults): Promise<void> {
  const { swarm } = scene
  const isCrowded = scene.atomic || scene.proven || scene.called
  for (const agent of EVERYBODY) await deployAtLast(scene, agent)
  await meetPeople(scene)
  await deployStormMonitor(scene)
  const held: HeldKeys = new Map()
  await Promise.all([
    ...Array.from({ length: isCrowded ? 1 : swarm.actors }, () => simulateAgent(scene)),
    ...(scene.crafted ? [playCrafts(scene)] : [simulateBuilder(scene), simulateBuilder(scene)]),
    simulatePeople(scene, held),
    simulatePeople(scene, held),
    ...(scene.signed ? playKeyHolders(scene, held) : []),
    simulateReviewer(scene),
    simulateOperator(scene, new Map()),
    simulateRegistrar(scene),
    simulateDeployer(scene, faults),
    simulateMarket(scene, faults),
    ...(scene.crafted ? [] : [simulateLiar(scene), simulateTrader(scene)]),
    ...(scene.atomic ? CROWD.map(() => simulateStreamer(scene)) : []),
    ...(scene.proven ? CROWD.map((name) => simulateBanker(scene, name)) : []),
    ...(scene.called ? CALLERS.map((name) => simulateCaller(scene, name)) : []),
    ...(scene.keyed ? [simulateActor(scene)] : []),
    ...(scene.thinking ? [simulateThinker(scene), simulateThinker(scene)] : []),
    ...(scene.advised ? [simulateInspector(scene), simulateInspector(scene)] : []),
    ...(scene.alarmed
      ? [simulateAlarms(scene), simulateListener(scene), simulateMeddler(scene, faults)]
      : []),
    ...(scene.local ? [simulateLocalOperator(scene)] : []),
    scene.site.options.watched ? simulateBrokenClock(scene) : simulateTimeService(scene, faults),
    ...(swarm.background ? [] : [simulateDriver(scene)]),
    ...(swarm.executors === 'elsewhere' ? [simulateExecutor(scene)] : []),
  ])
}

/** Most seeds ask for somebody a few times only. */
function playKeyHolders(scene: Scene, held: HeldKeys): readonly Promise<void>[] {
  const people = [1, 2, 3, 4].map(() => simulatePeople(scene, held))
  return [simulateKeyHolders(scene, held), simulateAsker(scene), ...people]
}

async function deployAtLast(scene: Scene, agent: ContractName): Promise<void> {
  const contract = getStormContract(agent, 0, scene.swarm.flowBudgetUsd)
  while ((await call(scene, (engine) => engine.deploy(contract))) === null)
    await scene.time.sleep(100)
}

async function deployStormMonitor(scene: Scene): Promise<void> {
  const monitor = getStormMonitor(scene.swarm)
  while ((await call(scene, (engine) => engine.oversight.deployMonitor(monitor))) === null)
    await scene.time.sleep(100)
}
