import { err, type Failure, ok, type Result } from 'rubicon-kernel'
import { HeadMismatch } from '../ports/head-mismatch.ts'
import { StoreDiverged } from '../ports/store-diverged.ts'
import type { Context } from './context.ts'
import { checkCounters } from './divergence/counters.ts'
import { divergedFailure } from './divergence/diverged-failure.ts'
import { checkOpenFlows } from './divergence/open-flows.ts'
import { checkTrajectories } from './divergence/trajectories.ts'
import { headFailure, openLedger } from './open-ledger.ts'
import { registerDeclared } from './registry/fact-sources.ts'
import { recordRules } from './registry/record-rules.ts'

type Ruled = Awaited<ReturnType<typeof recordRules>>

/** What stands before anything is decided: a ledger that is the one we signed, its rows, sources, rules. */
export async function prepareStore(context: Context): Promise<Ruled | Result<never, Failure>> {
  const ready = await checkStore(context)
  if (!ready.ok) return ready
  const declared = await registerDeclared(context, context.sources ?? [])
  return declared.ok ? recordRules(context) : declared
}

/** Refuses a ledger that is not the one that was signed, and rows that are not what it says. */
async function checkStore(context: Context): Promise<Result<void, Failure>> {
  try {
    const ready = await openLedger(context)
    if (!ready.ok) return ready
    await checkTrajectories(context)
    await checkCounters(context)
    for (const dfid of await checkOpenFlows(context)) context.firstUse.known(dfid)
    return ok(undefined)
  } catch (error) {
    // The entries that rows are compared with are read for that, also where a checkpoint covers them.
    if (error instanceof HeadMismatch) return err(headFailure(error))
    if (!(error instanceof StoreDiverged)) throw error
    return err(divergedFailure(error))
  }
}
