import type { Failure, Result } from 'rubicon-kernel'
import type { Context } from './context.ts'
import { openLedger } from './open-ledger.ts'
import { registerDeclared } from './registry/fact-sources.ts'
import { recordRules } from './registry/record-rules.ts'

type Ruled = Awaited<ReturnType<typeof recordRules>>

/** What stands before anything is decided: a ledger that is the one we signed, sources, rules. */
export async function prepareStore(context: Context): Promise<Ruled | Result<never, Failure>> {
  const ready = await openLedger(context)
  if (!ready.ok) return ready
  const declared = await registerDeclared(context, context.sources ?? [])
  return declared.ok ? recordRules(context) : declared
}
