/** A person with an editor: now and then a file is another one, and has to be adopted before anybody goes on. */
import type { Scene } from '../agents.ts'
import type { CraftPlace } from './craft-place.ts'
import { NAMES } from './craft-project.ts'
import { propose } from './crafter.ts'

export async function simulateEditor(scene: Scene, crafts: CraftPlace): Promise<void> {
  const { rng, time, swarm } = scene
  for (let edits = 0; !scene.enough(); edits++) {
    await time.sleep(rng.drawBetween(8 * swarm.pauseMs, 24 * swarm.pauseMs + 2_000))
    const name = rng.pick(NAMES)
    const text = Buffer.from(crafts.readAll().get(name) ?? []).toString()
    crafts.edit(name, `${text}\n// ${edits}, by hand\n`)
    await time.sleep(rng.drawBetween(0, 4 * swarm.pauseMs))
    for (let tries = 0; tries < 3; tries++) {
      const answer = await propose(scene, 'mason', 'adopt', { artifacts: [name], symbols: [name] })
      if (answer?.execution?.status === 'SUCCESS') break
      await time.sleep(rng.drawBetween(0, 3_000))
    }
  }
}
