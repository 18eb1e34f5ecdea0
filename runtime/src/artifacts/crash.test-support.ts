/** Ends a runtime at a point, and settles what it left behind. */
import type { RuntimeOptions } from '../compose.ts'
import type { HandClock } from '../engine/flow/hand-clock.test-support.ts'
import type { Failpoint } from '../ports/failpoint.ts'
import type { ArtifactStage } from './artifact-stage.test-support.ts'

export type Killer = {
  readonly failpoints: NonNullable<RuntimeOptions['failpoints']>
  arm(): void
}

/** Stops at a point, for good, when it is armed. */
export function createKiller(point: Failpoint): Killer {
  let isArmed = false
  return {
    failpoints: {
      reach(at) {
        if (isArmed && at === point) throw new Error('killed')
      },
    },
    arm: () => {
      isArmed = true
    },
  }
}

export async function settleAll(it: ArtifactStage, clock: HandClock): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    await clock.advance(30_000)
    await it.runtime.engine.reconcile()
    await it.runtime.engine.context.inFlight.awaitDrained()
  }
}
