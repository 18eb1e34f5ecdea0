/** Asks somebody who may be slow, wrong or down, and waits no longer than was agreed. */
import type { Clock } from '../../ports/clock.ts'
import type { Cutoff } from './cutoff.ts'

export type OutsideAnswer<T> =
  | { readonly kind: 'said'; readonly value: T }
  /** No answer in time; one that threw or cannot be read; or the engine stops. */
  | { readonly kind: 'timeout' | 'failed' | 'stopped' }

export type OutsideQuestion<T> = {
  readonly ms: number
  /** The signal is raised when nobody waits any more. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>
  /** Undefined: it is no answer. */
  readonly read: (answer: unknown) => T | undefined
}

export async function askOutside<T>(
  clock: Clock,
  cutoff: Cutoff,
  { ms, ask, read }: OutsideQuestion<T>,
): Promise<OutsideAnswer<T>> {
  const controller = new AbortController()
  const timer = clock.after(ms)
  const end = cutoff.wait()
  try {
    return await Promise.race([
      hearAnswer(() => ask(controller.signal), read),
      timer.elapsed.then(() => ({ kind: 'timeout' }) as const),
      end.elapsed.then(() => ({ kind: 'stopped' }) as const),
    ])
  } finally {
    timer.cancel()
    end.cancel()
    controller.abort()
  }
}

/** Whatever it does wrong, it does to itself. */
async function hearAnswer<T>(
  ask: () => Promise<unknown>,
  read: (answer: unknown) => T | undefined,
): Promise<OutsideAnswer<T>> {
  try {
    const value = read(await ask())
    return value === undefined ? { kind: 'failed' } : { kind: 'said', value }
  } catch {
    return { kind: 'failed' }
  }
}
