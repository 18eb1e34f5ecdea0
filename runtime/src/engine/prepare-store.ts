import { err, type Failure, type Result } from 'rubicon-kernel'
import type { Context } from './context.ts'
import { bootstrap } from './registry/bootstrap.ts'
import { registerDeclared } from './registry/fact-sources.ts'
import { recordRules } from './registry/record-rules.ts'
import { findRollback, rollbackFailure } from './rollback.ts'

type Ruled = Awaited<ReturnType<typeof recordRules>>

/** What stands before anything is decided: keys, a ledger that was not rolled back, sources, rules. */
export async function prepareStore(context: Context): Promise<Ruled | Result<never, Failure>> {
  const ready = await bootstrap(context)
  if (!ready.ok) return ready
  const rollback = await findRollback(context)
  if (rollback !== null) return err(rollbackFailure(rollback))
  const declared = await registerDeclared(context, context.sources ?? [])
  return declared.ok ? recordRules(context) : declared
}
