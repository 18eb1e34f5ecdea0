/** Everybody who has to do with artifacts and branches in a seed. */
import type { Scene } from '../agents.ts'
import { simulateBrancher } from './brancher.ts'
import { CRAFTERS } from './craft-project.ts'
import { prepareCrafts, simulateCrafter } from './crafter.ts'
import { simulateEditor } from './editor.ts'

export async function playCrafts(everybody: Scene): Promise<void> {
  const { crafts } = everybody.site.options
  if (crafts === null) return
  const scene = { ...everybody, rng: crafts.rng }
  await prepareCrafts(scene)
  await Promise.all([
    // Two of each, so that an agent races itself.
    ...[...CRAFTERS, ...CRAFTERS].map((name) => simulateCrafter(scene, name)),
    simulateBrancher(scene),
    simulateEditor(scene, crafts),
  ])
}
