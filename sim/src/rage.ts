/** The storm: everybody acts at once, and everything goes wrong. */
import { type Scene, simulateAgent } from './agents.ts'
import { simulateBuilder } from './builder.ts'
import { call } from './call.ts'
import { type ContractName, EVERYBODY, getStormContract } from './contracts.ts'
import { simulateDeployer } from './deployer.ts'
import { liveAsLiar } from './liar.ts'
import { liveAsMarket } from './market.ts'
import { monitorOf } from './monitor.ts'
import { liveAsDriver, liveAsExecutor, liveAsOperator } from './operator.ts'
import { liveAsPeople, meetPeople } from './people.ts'
import { liveAsRegistrar } from './registrar.ts'
import { liveAsReviewer } from './reviewer.ts'
import type { Faults } from './swarm.ts'
import { liveAsBrokenClock, liveAsTimeService } from './time-service.ts'
import { liveAsTrader } from './trader.ts'

export async function rage(scene: Scene, faults: Faults): Promise<void> {
  const { swarm } = scene
  for (const agent of EVERYBODY) await deployAtLast(scene, agent)
  await meetPeople(scene)
  await watchAtLast(scene)
  await Promise.all([
    ...Array.from({ length: swarm.actors }, () => simulateAgent(scene)),
    simulateBuilder(scene),
    simulateBuilder(scene),
    liveAsPeople(scene),
    liveAsPeople(scene),
    liveAsReviewer(scene),
    liveAsOperator(scene, new Map()),
    liveAsRegistrar(scene),
    simulateDeployer(scene, faults),
    liveAsMarket(scene, faults),
    liveAsLiar(scene),
    liveAsTrader(scene),
    scene.site.options.watched ? liveAsBrokenClock(scene) : liveAsTimeService(scene, faults),
    ...(swarm.background ? [] : [liveAsDriver(scene)]),
    ...(swarm.executors === 'elsewhere' ? [liveAsExecutor(scene)] : []),
  ])
}

async function deployAtLast(scene: Scene, agent: ContractName): Promise<void> {
  const contract = getStormContract(agent, 0, scene.swarm.flowBudgetUsd)
  while ((await call(scene, (engine) => engine.deploy(contract))) === null)
    await scene.time.sleep(100)
}

async function watchAtLast(scene: Scene): Promise<void> {
  const monitor = monitorOf(scene.swarm)
  while ((await call(scene, (engine) => engine.oversight.deployMonitor(monitor))) === null)
    await scene.time.sleep(100)
}
