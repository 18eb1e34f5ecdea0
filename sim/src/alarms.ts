/** Alarms, each of which wakes several agents at once: now and then many of them in a moment, and of several items together. */
import type { Scene } from './agents.ts'
import { ITEMS, say } from './market.ts'

/** Shorter and longer than a window. */
const PAUSES_MS = [20, 2_000, 8_000]

export async function simulateAlarms(scene: Scene): Promise<void> {
  const { rng, time } = scene
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, rng.pick(PAUSES_MS)))
    const items = rng.drawChance(0.2) ? ITEMS : [rng.pick(ITEMS)]
    const value = rng.drawBelow(1e6)
    scene.sound()
    await say(
      scene,
      items.map((item) => ({ path: `alarm.${item}`, value, source: 'exchange' })),
    )
  }
}
