import { err, type Failure, ok, type Result } from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import { registerDeclared } from '../authority/registry/fact-sources.ts'
import { recordRules } from '../authority/registry/record-rules.ts'
import type { Started } from '../create-context.ts'
import type { Context } from '../engine-context.ts'
import { restoreNote } from './check-note.ts'
import { checkRows } from './divergence/check-rows.ts'
import { toDivergedFailure } from './divergence/diverged-failure.ts'
import { openLedger, toHeadFailure } from './open-ledger.ts'

type Prepared = Pick<Started, 'restored' | 'rules'>

/** What stands before anything is decided: a ledger that is the one we signed, its rows, sources, rules. */
export async function prepareStore(context: Context): Promise<Result<Prepared, Failure>> {
  const ready = await openLedger(context)
  if (!ready.ok) return ready
  const diverged = await findDiverged(context)
  if (diverged !== null) return err(diverged)
  const declared = await registerDeclared(context, context.sources ?? [])
  const ruled = declared.ok ? await recordRules(context) : declared
  if (!ruled.ok) return ruled
  const restored = context.store.exposed ? await restoreNote(context) : null
  return ok({ rules: ruled.value, restored })
}

/** Why nothing may be decided by the rows of this store; null: they are what the ledger says. */
async function findDiverged(context: Context): Promise<Failure | null> {
  try {
    for (const dfid of await checkRows(context)) context.firstUse.rememberChecked(dfid)
    return null
  } catch (error) {
    // The entries that rows are compared with are read for that, also where a checkpoint covers them.
    if (error instanceof HeadMismatch) return toHeadFailure(error)
    if (!(error instanceof StoreDiverged)) throw error
    return toDivergedFailure(error)
  }
}
