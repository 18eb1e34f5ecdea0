/** Waiting in tests of agents over HTTP: what comes over the network comes by itself, and nothing that is asserted depends on how soon. */
import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { AGENT, type Served } from '../../../server/src/http/served.test-support.ts'

const LONGEST_MS = 60_000
const LOOK_MS = 10
const KNOCK_MS = 100
/** The trigger of flows that are opened to find out whether an agent hears. */
export const KNOCK = 'is anybody there'

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now()
  while (!(await isSo())) {
    if (performance.now() - begun > LONGEST_MS) assert.fail('it never came')
    await after(LOOK_MS)
  }
}

/** Whoever has heard of one flow hears of all that come after it. */
export async function knockUntil(
  { runtime }: Pick<Served, 'runtime'>,
  isHeard: () => boolean,
): Promise<void> {
  await until(async () => {
    await runtime.open({ agent: AGENT, trigger: KNOCK })
    await after(KNOCK_MS)
    return isHeard()
  })
}
