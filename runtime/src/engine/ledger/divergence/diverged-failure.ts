import type { Failure } from 'rubicon-kernel'
import type { StoreDiverged } from '../../../ports/store-diverged.ts'

export function toDivergedFailure({ code, message, fix, row }: StoreDiverged): Failure {
  const why = 'somebody who holds the database has changed it, or the disk lost what was written'
  return { code, summary: message, why, fix, meta: { row } }
}
