/**
 * An operator whom people ask to erase what was said about them: some of the flows that have ended, now
 * and then twice at once, and some that may not go. Asked for last, so that every other judge has seen
 * what it judges.
 */
import type { Scene } from './agents.ts'
import { call } from './call.ts'
import { createCanary } from './canary.ts'

const ERASED = 0.25
const TWICE = 0.2

export async function eraseSome(scene: Scene): Promise<void> {
  const { rng, site, note } = scene
  for (const dfid of [...site.tables.flows.keys()]) {
    if (!rng.drawChance(ERASED)) continue
    const request = { dfid, reason: 'asked for', by: 'olga' }
    const erase = () => call(scene, (engine) => engine.oversight.erase(request))
    const answers = await Promise.all(rng.drawChance(TWICE) ? [erase(), erase()] : [erase()])
    for (const answer of answers)
      note(`erase ${dfid}: ${answer === null ? 'lost' : answer.ok ? 'done' : answer.error.code}`)
    // Whatever comes later is answered, and leaves no words behind.
    if (rng.drawChance(TWICE))
      await call(scene, (engine) => engine.propose(dfid, { story: createCanary('story') }))
  }
}
