import { err, type Failure, type Result } from 'rubicon-kernel'
import { HeadMismatch } from '../ports/head-mismatch.ts'
import { StoreDiverged } from '../ports/store-diverged.ts'
import type { Context } from './context.ts'
import { checkOpenFlows } from './divergence/open-flows.ts'
import { checkTimeRows } from './divergence/time-rows.ts'
import { headFailure, openLedger } from './open-ledger.ts'
import { registerDeclared } from './registry/fact-sources.ts'
import { recordRules } from './registry/record-rules.ts'

type Ruled = Awaited<ReturnType<typeof recordRules>>

/** What stands before anything is decided: a ledger that is the one we signed, its rows, sources, rules. */
export async function prepareStore(context: Context): Promise<Ruled | Result<never, Failure>> {
  const ready = await openLedger(context)
  if (!ready.ok) return ready
  const diverged = await findDiverged(context)
  if (diverged !== null) return err(diverged)
  const declared = await registerDeclared(context, context.sources ?? [])
  return declared.ok ? recordRules(context) : declared
}

/** Why nothing may be decided by the rows of this store; null: they are what the ledger says. */
async function findDiverged(context: Context): Promise<Failure | null> {
  try {
    await checkTimeRows(context)
    for (const dfid of await checkOpenFlows(context)) context.firstUse.known(dfid)
    return null
  } catch (error) {
    // The entries that rows are compared with are read for that, also where a checkpoint covers them.
    if (error instanceof HeadMismatch) return headFailure(error)
    if (!(error instanceof StoreDiverged)) throw error
    const { code, message, fix, row } = error
    const why = 'somebody who holds the database has changed it, or the disk lost what was written'
    return { code, summary: message, why, fix, meta: { row } }
  }
}
