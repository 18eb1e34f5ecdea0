/** What is counted in a seed, and when it was enough. */
import type { SeedKinds } from './seed-kinds.ts'
import type { Swarm } from './swarm.ts'

/** Where there are alarms it is over after so many. */
const ALARMS = 16

export type SceneCounts = {
  /** A question that was not asked before. */
  readonly drawQuestion: () => number
  /** Counts a proposal; false when there were enough. */
  readonly propose: () => boolean
  /** Counts an alarm. */
  readonly sound: () => void
  readonly enough: () => boolean
  readonly countIntents: () => number
}

/** `isBroken`: somebody has found a violation, and the rest is of no interest. */
export function createSceneCounts(
  swarm: Pick<Swarm, 'proposals'>,
  { alarmed, crafted, called }: Pick<SeedKinds, 'alarmed' | 'crafted' | 'called'>,
  isBroken: () => boolean,
): SceneCounts {
  // What is planned has to be applied as well, and what is asked for is asked for several times.
  const times = crafted ? 1.5 : called ? 3 : 1
  const proposals = times * swarm.proposals
  let [intents, questions, alarms] = [0, 0, 0]
  return {
    drawQuestion: () => ++questions,
    propose: () => {
      intents += 1
      return intents <= 2 * proposals
    },
    sound: () => {
      alarms += 1
    },
    enough: () => (alarmed ? alarms >= ALARMS : intents >= proposals) || isBroken(),
    countIntents: () => intents,
  }
}
