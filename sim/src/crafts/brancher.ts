/**
 * An operator who branches, and agents who try things there: what reaches outside, which is refused; what changes World alone; children;
 * changes of artifacts, which are merged into `main` afterwards.
 */
import { branchTrajectory } from '../../../runtime/src/evidence/branch.ts'
import { drawSensibleWish, open, type Scene, say, type Wish } from '../agents.ts'
import { listSymbols } from '../audit/symbols.ts'
import { call } from '../call.ts'
import { CRAFTERS, type CrafterName, NAMES } from './craft-project.ts'
import { applyLast, plan, propose } from './crafter.ts'
import { readText } from './known-artifacts.ts'

const DEEDS = { effect: 3, world: 1, child: 1.5, spawn: 0.7, craft: 10, merge: 3 } as const
const BRANCHES = 3

export async function simulateBrancher(scene: Scene): Promise<void> {
  const { rng, time, swarm } = scene
  const made: string[] = []
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(0, swarm.pauseMs))
    if (made.length < BRANCHES && (made.length === 0 || rng.drawChance(0.2)))
      await branch(scene, made)
    if (made.length > 0) await tryDeed(scene, rng.pick(CRAFTERS), rng.pick(made))
  }
}

/** From the last entry, or from one a little before it; also from another branch. */
async function branch(scene: Scene, made: string[]): Promise<void> {
  const { rng, site } = scene
  const from = rng.drawChance(0.2) && made.length > 0 ? rng.pick(made) : 'main'
  const { seq = 0 } = site.tables.heads.get(from) ?? {}
  const source = { trajectory: from, seq: Math.max(0, seq - rng.drawBelow(12)) }
  const name = `try-${made.length + 1}`
  const done = await call(scene, (engine) =>
    branchTrajectory(engine, { source, name, note: 'to see what comes of it' }),
  )
  // Whoever did not hear of it finds it there.
  if (done?.ok === true || site.tables.heads.has(name)) made.push(name)
}

async function tryDeed(scene: Scene, agent: CrafterName, trajectory: string): Promise<void> {
  const { rng } = scene
  switch (rng.pickWeighted(DEEDS)) {
    case 'craft':
      await plan(scene, agent, trajectory)
      return applyLast(scene, agent, trajectory)
    case 'merge':
      return merge(scene, agent, trajectory)
    case 'child':
      return tryInChild(scene, agent, trajectory)
    case 'spawn': {
      const params = { agent: rng.pick(CRAFTERS), trigger: 'a part of it' }
      return tryWish(scene, agent, trajectory, { policy_kind: 'SPAWN_CHILD', params })
    }
    case 'effect':
      return tryWish(scene, agent, trajectory, drawEffect(scene))
    case 'world': {
      const params = { item: `item-${rng.drawBelow(4)}`, place: `place-${rng.drawBelow(8)}` }
      return tryWish(scene, agent, trajectory, { policy_kind: 'SHELVE', params })
    }
  }
}

/** What everybody else does in `main`. */
function drawEffect(scene: Scene): Wish {
  return drawSensibleWish(scene, 'builder')
}

async function tryWish(
  scene: Scene,
  agent: CrafterName,
  trajectory: string,
  wish: Wish,
): Promise<void> {
  const opened = await open(scene, { agent, trigger: 'a try', trajectory })
  if (opened !== null) await say(scene, opened, wish, 'step-1')
}

async function tryInChild(scene: Scene, agent: CrafterName, trajectory: string): Promise<void> {
  const above = await open(scene, { agent, trigger: 'a try', trajectory, steps: 'many' })
  if (above === null) return
  const { dfid: parent } = above.flow
  // Whoever is below it stands where it stands, whatever is asked for.
  const where = scene.rng.drawChance(0.3) ? {} : { trajectory }
  const child = await open(scene, { agent, trigger: 'a part of it', parent, ...where })
  if (child !== null) await say(scene, child, drawEffect(scene), 'step-1')
}

/** Everything that the branch has changed in one artifact, into `main`. */
async function merge(scene: Scene, agent: CrafterName, trajectory: string): Promise<void> {
  const artifact = scene.rng.pick(NAMES)
  const texts = ['main', trajectory].map((one) => readText(scene, one, artifact) ?? '')
  const paths = new Set(texts.flatMap((text) => [...listSymbols(text).keys()]))
  const symbols = [...paths].map((path) => `${artifact} ${path}`.trim())
  await propose(scene, agent, 'plan', { merge: { trajectory }, symbols })
  await applyLast(scene, agent, 'main')
}
