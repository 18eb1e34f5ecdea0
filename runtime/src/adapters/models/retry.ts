/**
 * Asks a provider again where that costs nothing twice.
 *
 * R1 only what was turned away before any work (`charged: false`), and only because of load or the network: a
 *    second request for what may have been counted could be paid twice, and would not be in the record.
 * R2 not before the provider said; where it said longer than the bound, it is given up at once.
 * R3 not once text was told: whoever watches would see it twice.
 * R4 bounded in number, and ended at once when nobody waits any more.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import { ModelFailure, type ModelIo, type ModelProvider } from '../../ports/model.ts'
import type { Random } from '../../ports/random.ts'
import { systemClock } from '../system/clock.ts'
import { systemRandom } from '../system/random.ts'

/** How often, and by which clock. */
export type RetryOptions = {
  /** In all, the first one included; three unless said. */
  readonly attempts?: number
  /** In place of the clock of the machine. */
  readonly clock?: Clock
  /** In place of the randomness of the machine: pauses are not all the same. */
  readonly random?: Random
}

const ATTEMPTS = 3

/** A provider that asks again where asking again can help, with growing pauses. */
export function retryModel(provider: ModelProvider, options: RetryOptions = {}): ModelProvider {
  const attempts = Math.min(options.attempts ?? ATTEMPTS, LIMITS.modelAttempts)
  return {
    name: provider.name,
    findPrice: (model) => provider.findPrice(model),
    async generate(request, io) {
      for (let attempt = 1; ; attempt += 1) {
        let told = false
        const tellText = (text: string): void => {
          told = true
          io.onText?.(text)
        }
        const watched = io.onText === undefined ? io : { ...io, onText: tellText }
        try {
          return await provider.generate(request, watched)
        } catch (error) {
          if (attempt >= attempts || told || !isRetried(error)) throw error
          if (!(await waitBefore(attempt, error, io, options))) throw error
        }
      }
    },
  }
}

function isRetried(error: unknown): error is ModelFailure {
  if (!(error instanceof ModelFailure) || error.charged) return false
  return error.code === 'MODEL_RATE_LIMITED' || error.code === 'MODEL_UNAVAILABLE'
}

/** False: there is no use in waiting, or nobody does any more. */
async function waitBefore(
  attempt: number,
  { retryAfterMs = 0 }: ModelFailure,
  { signal }: ModelIo,
  { clock = systemClock, random = systemRandom }: RetryOptions,
): Promise<boolean> {
  if (signal.aborted || retryAfterMs > LIMITS.modelRetryAfterMs) return false
  const most = Math.min(LIMITS.backoffBaseMs * 2 ** attempt, LIMITS.backoffMaxMs)
  const timer = clock.after(retryAfterMs + Math.floor(most * drawShare(random)))
  const aborted = Promise.withResolvers<void>()
  const endWait = (): void => aborted.resolve()
  signal.addEventListener('abort', endWait, { once: true })
  await Promise.race([timer.elapsed, aborted.promise])
  timer.cancel()
  signal.removeEventListener('abort', endWait)
  return !signal.aborted
}

/** From a half to one: those who were turned away together do not come back together. */
function drawShare(random: Random): number {
  const [byte = 0] = random.bytes(1)
  return 0.5 + byte / 512
}
