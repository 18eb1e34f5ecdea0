/**
 * After the storm: nothing goes wrong any more. What was left settles by itself; then people have had
 * the time to look at the rest; then the time for deciding is over, and a day later that of every flow.
 */
import type { Scene } from './agents.ts'
import { call, callProcess } from './call.ts'
import { replaceAllProcesses } from './deployer.ts'
import { eraseSome } from './eraser.ts'
import { inspectRest } from './inspector.ts'
import { openOutcomes, openWork } from './open-outcomes.ts'
import { carryOut, drive } from './operator.ts'
import { decideRest } from './people.ts'
import { reviewAll } from './reviewer.ts'

/** Longer than a request waits for anybody. */
const OVER_MS = 3_660_000
/** Longer than a flow may act. */
const EXPIRED_MS = 86_460_000
/** A flow, its children, and theirs. */
const GENERATIONS = 3
/** Rounds without news after which nothing more will come by itself. */
const QUIET_ROUNDS = 45

export async function playCalm(scene: Scene): Promise<void> {
  await replaceAllProcesses(scene)
  await settle(scene)
  await reviewAll(scene)
  await inspectRest(scene)
  await decideRest(scene)
  await settle(scene)
  for (const ms of [OVER_MS, EXPIRED_MS]) {
    setClocks(scene, ms)
    await settle(scene)
  }
  // What comes only now and then is asked for, and may leave something to do: a flow ends by rule a
  // sweep after its last child.
  for (let sweep = 0; sweep < GENERATIONS; sweep++) await driveAll(scene)
  await settle(scene)
  if (!scene.whole) await eraseSome(scene)
  await call(scene, (engine) => engine.checkpoint())
}

/** Until no outcome is open, and nothing is left that could be done without a person. */
async function settle(scene: Scene): Promise<void> {
  const { site, time, swarm } = scene
  let size = -1
  for (let quiet = 0; ; quiet++) {
    await time.sleep(1000)
    await site.process()
    if (!swarm.background) await driveAll(scene)
    if (swarm.executors === 'elsewhere') await carryOut(scene)
    if (site.tables.entries.length !== size) quiet = 0
    size = site.tables.entries.length
    const isBusy = !site.isIdle || scene.handing() > 0 || openOutcomes(site.tables) > 0
    // What stood still has all the time of the others when it goes on.
    if (isBusy) quiet = 0
    else if (openWork(site.tables) === 0 || quiet >= QUIET_ROUNDS) return
  }
}

/** All machines agree again, so long after everything that was ever written. */
function setClocks({ site }: Scene, ms: number): void {
  const clocks = [site.server, ...site.machines.map(({ clock }) => clock)]
  const written = site.tables.entries.map(({ envelope }) => Date.parse(envelope.at))
  const latest = [...clocks.map((clock) => clock.getNow()), ...written].reduce((a, b) =>
    Math.max(a, b),
  )
  for (const clock of clocks) clock.jump(latest - clock.getNow() + ms)
}

async function driveAll(scene: Scene): Promise<void> {
  for (const process of scene.site.running) await callProcess(process, scene, drive)
}
