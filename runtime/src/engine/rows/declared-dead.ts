import { StoreError, type UnitOutcome } from '../../ports/store.ts'

/**
 * Stops an engine that another has declared dead. Its guard never holds again, so that starting over
 * would only spin; what it had on its way is looked into by the others.
 */
export function stopIfDeclaredDead({ failed }: Extract<UnitOutcome, { ok: false }>): void {
  if (failed.kind !== 'engine_epoch') return
  throw new StoreError(
    'STORE_ERROR',
    'another engine has declared this one dead',
    'restart the process; the others reconcile what it had sent',
  )
}
