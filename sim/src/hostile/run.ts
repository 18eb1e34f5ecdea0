/** One seed: a day in the shop, in which mallory tries tricks in an order of her own. */
import type { Rng } from '../rng.ts'
import { TRICKS } from './all-tricks.ts'
import type { Breach } from './goals.ts'
import { Judge } from './judge.ts'
import { openStage, tellTruth } from './open-stage.ts'
import { EVERYBODY, HOSTILE } from './shop.ts'
import type { Stage } from './stage.ts'
import type { Trick } from './trick.ts'

/** Of a seed; enough that tricks meet each other's leavings, few enough that seeds are quick. */
const TRICKS_PER_SEED = 14
const HOUR_MS = 3_600_000

export type Attempt = {
  readonly seed: number
  readonly trick: string
  /** How often something behind the door was asked. */
  readonly reached: number
  readonly breaches: readonly Breach[]
}

export type HostileOptions = {
  readonly seed: number
  /** These alone, all of them. */
  readonly tricks?: readonly Trick[]
  readonly onAttempt?: (attempt: Attempt) => void
}

export async function runHostileSeed({
  seed,
  tricks,
  onAttempt = () => {},
}: HostileOptions): Promise<readonly Attempt[]> {
  const stage = await openStage(seed, EVERYBODY)
  const judge = new Judge(stage)
  const attempts: Attempt[] = []
  try {
    await stage.begin()
    await stage.askBoss()
    await stage.settle()
    const before = await judge.look(true)
    if (before.length > 0)
      throw new Error(`the shop is broken without mallory: ${JSON.stringify(before)}`)
    for (const trick of tricks ?? draw(stage.rng)) {
      const attempt = await tryOne(stage, judge, trick, seed)
      attempts.push(attempt)
      onAttempt(attempt)
      // What follows would only find the same once more.
      if (attempt.breaches.length > 0) break
    }
  } finally {
    await close(stage, attempts)
  }
  return attempts
}

/** What mallory broke need not close as it should. */
async function close(stage: Stage, attempts: readonly Attempt[]): Promise<void> {
  const isBroken = attempts.some(({ breaches }) => breaches.length > 0)
  await stage.close().catch((error: unknown) => {
    if (!isBroken) throw error
  })
}

async function tryOne(stage: Stage, judge: Judge, trick: Trick, seed: number): Promise<Attempt> {
  const reached = stage.reached
  await trick.attempt(stage)
  const asked = stage.reached - reached
  await stage.settle()
  await stage.beginAgain()
  const breaches = await judge.look(trick.goal === 'broken_ledger' || stage.rng.drawChance(0.1))
  const attempt = { seed, trick: trick.name, reached: asked, breaches }
  if (breaches.length > 0) return attempt
  // An hour passes, in which nobody tries anything: what is counted by the hour begins anew.
  stage.clock.advance(HOUR_MS + stage.rng.drawBelow(60_000))
  judge.clearWindow()
  await tellTruth(stage)
  await reactivateSuspended(stage)
  await stage.beginAgain()
  await stage.askBoss()
  await stage.settle()
  return attempt
}

/** An operator lets them go on: a stopped agent tries nothing. */
async function reactivateSuspended({ engine }: Stage): Promise<void> {
  const { statuses } = await engine.context.authorities.loadLatest()
  for (const agent_id of HOSTILE.filter((agent) => statuses.get(agent) === 'SUSPENDED')) {
    const justification = 'promised to be good'
    const moved = await engine.moveAgent({
      agent_id,
      to: 'ACTIVE',
      actor: 'operator',
      justification,
    })
    if (!moved.ok) throw new Error(moved.error.summary)
  }
}

function draw(rng: Rng): readonly Trick[] {
  const left = [...TRICKS]
  return Array.from({ length: Math.min(TRICKS_PER_SEED, left.length) }, () => {
    const [trick] = left.splice(rng.drawBelow(left.length), 1)
    if (trick === undefined) throw new Error('there are tricks left')
    return trick
  })
}
