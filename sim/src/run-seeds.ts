/** Many seeds, one after the other, in this thread. */
import type { Failpoint } from '../../runtime/src/ports/failpoint.ts'
import { runSeed } from './storm.ts'
import type { Fault } from './swarm.ts'

export type StormViolation = {
  readonly seed: number
  readonly invariant: string
  readonly detail: string
}

/** Plain data, since it crosses threads. */
export type SeedsResult = {
  readonly seeds: number
  readonly intents: number
  readonly faults: number
  readonly violations: readonly StormViolation[]
  readonly hashes: readonly (readonly [number, string])[]
  readonly struck: readonly (readonly [Fault, number])[]
  readonly hits: readonly (readonly [Failpoint, number])[]
}

export type SeedsOptions = {
  readonly seeds: readonly number[]
  readonly stopAtFirst?: boolean
}

/** How many seeds this thread has behind it. */
export type SeedsDone = (seeds: number) => void

/** I15 costs a second run, so that only every so many seeds prove it. */
const TWICE_EVERY = 40

export async function runSeeds(
  { seeds, stopAtFirst }: SeedsOptions,
  onDone: SeedsDone = () => {},
): Promise<SeedsResult> {
  const violations: StormViolation[] = []
  const hashes: [number, string][] = []
  const struck = new Map<Fault, number>()
  const hits = new Map<Failpoint, number>()
  let intents = 0
  let faults = 0
  const loose: unknown[] = []
  const recordLooseRejection = (reason: unknown): void => void loose.push(reason)
  process.on('unhandledRejection', recordLooseRejection)
  try {
    for (const seed of seeds) {
      const recordViolation = (invariant: string, detail: string): void =>
        void violations.push({ seed, invariant, detail })
      const result = await runSeed(seed)
      if (seed % TWICE_EVERY === 0 && (await runSeed(seed)).history_hash !== result.history_hash)
        recordViolation('I15', 'the same seed gave two histories')
      // A turn of the event loop: now the runtime has told of every rejection that nobody took.
      await new Promise((resolve) => setImmediate(resolve))
      for (const reason of loose.splice(0))
        recordViolation('I7', `a failure that nobody took: ${reason}`)
      for (const { invariant, detail } of result.violations) recordViolation(invariant, detail)
      hashes.push([seed, result.history_hash])
      onDone(hashes.length)
      intents += result.intents
      faults += result.faults
      add(struck, result.struck)
      add(hits, result.hits)
      if (stopAtFirst === true && violations.length > 0) break
    }
  } finally {
    process.off('unhandledRejection', recordLooseRejection)
  }
  const counts = { seeds: hashes.length, intents, faults, violations, hashes }
  return { ...counts, struck: [...struck], hits: [...hits] }
}

function add<K>(sum: Map<K, number>, more: ReadonlyMap<K, number>): void {
  for (const [key, count] of more) sum.set(key, (sum.get(key) ?? 0) + count)
}
