/**
 * Units that end authority: a suspension, a revocation. They are written before what waits: every unit
 * says what it was decided on, so that whatever they overtake is decided again.
 */
import { AUTHORITY } from 'rubicon-kernel'
import type { Unit } from '../../ports/store.ts'

type Waiting = { readonly unit: Unit }

/** Behind everything that waits; one that ends authority only behind others that do. */
export function enqueue<T extends Waiting>(waiting: T[], next: T): void {
  if (!isEndingAuthority(next.unit)) return void waiting.push(next)
  const place = waiting.findIndex(({ unit }) => !isEndingAuthority(unit))
  waiting.splice(place === -1 ? waiting.length : place, 0, next)
}

function isEndingAuthority({ writes }: Unit): boolean {
  return writes.some(
    (write) =>
      write.kind === 'append' &&
      write.trajectory === AUTHORITY &&
      (write.entry === 'lifecycle' || write.entry === 'revocation'),
  )
}
