/**
 * Works through the rows of a job, one by one. One that fails is told of and stops nobody: the others
 * are worked on, and it is looked at again in the next round.
 */

import type { BackgroundJob } from '../../ports/background-job.ts'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import { StoreError } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { RegistryUnavailable } from './registry-unavailable.ts'

/** A store that fails for so many rows in a row fails for all of them. */
const STORE_FAILURES = 3

/** Returns for how many `work` said that there was something to do. */
export async function processRows<T>(
  { signals, damage }: Pick<Context, 'signals' | 'damage'>,
  job: BackgroundJob,
  rows: Iterable<T> | AsyncIterable<T>,
  work: (row: T) => Promise<boolean>,
): Promise<number> {
  let done = 0
  let storeFailures = 0
  for await (const row of rows) {
    // Found meanwhile, by somebody else: what is left stays as it is.
    damage.assertNone()
    try {
      if (await work(row)) done += 1
      storeFailures = 0
    } catch (error) {
      storeFailures = error instanceof StoreError ? storeFailures + 1 : 0
      if (storeFailures >= STORE_FAILURES || isEnd(error)) throw error
      signals?.recordFailure(job, error)
    }
  }
  return done
}

/** What would meet every other row, too. */
function isEnd(error: unknown): boolean {
  if (error instanceof RegistryUnavailable || error instanceof HeadMismatch) return true
  return error instanceof StoreError && error.code === 'STORE_CLOSED'
}
