/** People who look at what was flagged: slowly, so that more may be flagged meanwhile, and now and then two of them. */
import type { Scene } from './agents.ts'
import { call } from './call.ts'
import { createCanary } from './canary.ts'
import { APPROVERS } from './contracts.ts'

/** They read for a while. */
const READING_MS = 8000

export async function simulateInspector(scene: Scene): Promise<void> {
  const { rng, time, swarm } = scene
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, swarm.pauseMs + 500))
    await inspect(scene, 0.5)
  }
}

/** After the storm: some of what is left is looked at. */
export async function inspectRest(scene: Scene): Promise<void> {
  if (scene.advised) await inspect(scene, 0.6)
}

/** All at once: each is read from when it was seen, while its agent goes on. */
async function inspect(scene: Scene, chance: number): Promise<void> {
  const { rng, site } = scene
  const flagged = [...site.tables.flows].flatMap(([dfid, { tags }]) =>
    tags.includes('NEEDS_REVIEW') && rng.drawChance(chance) ? [dfid] : [],
  )
  await Promise.all(flagged.map((dfid) => read(scene, dfid)))
}

async function read(scene: Scene, dfid: string): Promise<void> {
  const { rng, time } = scene
  const shown = scene.findShown(dfid)
  if (shown === null) return
  await time.sleep(rng.drawBetween(0, READING_MS))
  await review(scene, dfid, shown)
}

async function review(scene: Scene, dfid: string, shown: number): Promise<void> {
  const { rng, note } = scene
  const by = rng.pick(APPROVERS)
  const word = { by, justification: createCanary('decision'), last_flag: shown }
  const said = await call(scene, (engine) => engine.oversight.reviewFlow(dfid, word))
  if (said === null) return
  note(`inspected ${dfid} ${said.ok ? said.value.flags : said.error.code}`)
  if (said.ok && !said.value.repeated) scene.reviewed({ dfid, by: said.value.by, shown })
}
