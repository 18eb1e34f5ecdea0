/** What a flow was opened to decide, for as long as it is asked: it is shown that again when it looks. */
import {
  isEscalationPath,
  parseChoicePath,
  parseEscalationPath,
  type Snapshot,
  type StateFact,
} from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import { loadEscalation } from '../rows/stored-escalation.ts'
import { loadChoiceFacts } from './choice-facts.ts'
import { type ObservationBasis, readObservedState } from './observed-state.ts'

/** Once it is with somebody else, or decided, it is no longer shown. */
export async function findAskedPath(
  context: Context,
  dfid: string,
  { state }: Pick<Snapshot, 'state'>,
): Promise<{ readonly asked?: string }> {
  const choice = state.find(({ path }) => parseChoicePath(path) !== undefined)?.path
  if (choice !== undefined) return { asked: choice }
  const path = state.find((fact) => isEscalationPath(fact.path))?.path
  const id = path === undefined ? undefined : parseEscalationPath(path)
  if (path === undefined || id === undefined) return {}
  const stored = await loadEscalation(context, 'open', id)
  return stored?.body.parent?.dfid === dfid ? { asked: path } : {}
}

/** The request comes from the store, a choice from the ledger's rows: no source speaks for either. */
export async function loadAskedFacts(
  context: Context,
  path: string,
  by: ObservationBasis,
): Promise<readonly StateFact[]> {
  const dirty = parseChoicePath(path)
  if (dirty !== undefined) return loadChoiceFacts(context, dirty)
  return (await readObservedState(context.store, [path], by)).facts
}
