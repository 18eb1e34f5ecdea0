/** Asks a provider of models and waits no longer than was agreed. It is code from outside, and may do anything. */
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import {
  ModelFailure,
  type ModelIo,
  type ModelPrice,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
} from '../../ports/model.ts'
import { checkReply } from './check-reply.ts'
import { isPrice } from './generation-cost.ts'

/** A reply for which nobody waits is paid for all the same. */
export const LATE = { charged: true } as const

export type ProviderCall = {
  readonly provider: ModelProvider
  readonly request: ModelRequest
  /** Raised when nobody waits any more, here or by whoever asked. */
  readonly waits: AbortController
  /** Left out: as long as any model may take. */
  readonly ms?: number
}

export type ProviderIo = Partial<ModelIo>

/** Never throws. */
export async function askProvider(
  clock: Clock,
  { provider, request, waits, ms = LIMITS.modelMs }: ProviderCall,
  { signal, onText }: ProviderIo,
): Promise<ModelReply | ModelFailure> {
  const endWait = (): void => waits.abort()
  if (signal?.aborted === true) endWait()
  signal?.addEventListener('abort', endWait, { once: true })
  const timer = clock.after(ms, true)
  void timer.elapsed.then(endWait)
  const ended = new Promise<never>((_, reject) => {
    const rejectLate = (): void =>
      reject(new ModelFailure('MODEL_TIMEOUT', 'nobody waits for the reply any more', LATE))
    if (waits.signal.aborted) rejectLate()
    else waits.signal.addEventListener('abort', rejectLate, { once: true })
  })
  ended.catch(() => {})
  try {
    const io = { signal: waits.signal, ...(onText === undefined ? {} : { onText }) }
    const asked = Promise.resolve(provider.generate(request, io))
    asked.catch(() => {})
    return checkReply(await Promise.race([asked, ended]), request)
  } catch (error) {
    if (error instanceof ModelFailure) return error
    // What it says may hold anything, also a key.
    return new ModelFailure('MODEL_UNAVAILABLE', 'the provider of the model threw', LATE)
  } finally {
    timer.cancel()
    signal?.removeEventListener('abort', endWait)
  }
}

/** A price that cannot be counted with is none. */
export function findModelPrice(provider: ModelProvider, model: string): ModelPrice | undefined {
  try {
    const price = provider.findPrice(model)
    return price !== undefined && isPrice(price) ? price : undefined
  } catch {
    return undefined
  }
}
