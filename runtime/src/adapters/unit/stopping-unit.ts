/**
 * Units that end authority: a suspension, a revocation, and what is written for whoever asks for one. They are written before
 * what waits: every unit says what it was decided on, so that whatever they overtake is decided again.
 */
import { AUTHORITY } from 'rubicon-kernel'
import type { Unit } from '../../ports/store.ts'
import { isUrgent } from '../../ports/urgent.ts'

type Waiting = {
  readonly unit: Unit
  /** By what it holds, or by who asked for it. */
  readonly isFirst: boolean
}

/** Behind everything that waits; one that ends authority only behind others that do. */
export function enqueue<T extends Waiting>(waiting: T[], next: T): void {
  if (!next.isFirst) return void waiting.push(next)
  const place = waiting.findIndex(({ isFirst }) => !isFirst)
  waiting.splice(place === -1 ? waiting.length : place, 0, next)
}

/**
 * To be asked where the unit is handed over. The step of an agent, whatever it does to authority, is as large as the
 * agent likes, and waits like any other.
 */
export function isGoingFirst({ writes }: Unit): boolean {
  if (isUrgent()) return true
  if (writes.some((write) => write.kind === 'append' && write.entry === 'dispatch')) return false
  return writes.some(
    (write) =>
      write.kind === 'append' &&
      write.trajectory === AUTHORITY &&
      (write.entry === 'lifecycle' || write.entry === 'revocation'),
  )
}
