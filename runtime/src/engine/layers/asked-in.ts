/** What a flow was opened to decide, for as long as it is asked: it is shown that again when it looks. */
import { escalationAt, isEscalationPath, type Snapshot } from 'rubicon-kernel'
import type { Context } from '../context.ts'
import { loadEscalation } from '../escalate/stored.ts'

/** Once the request is with somebody else it is no longer shown. */
export async function askedIn(
  context: Context,
  dfid: string,
  { state }: Pick<Snapshot, 'state'>,
): Promise<{ readonly asked?: string }> {
  const path = state.find((fact) => isEscalationPath(fact.path))?.path
  const id = path === undefined ? undefined : escalationAt(path)
  if (path === undefined || id === undefined) return {}
  const stored = await loadEscalation(context, 'open', id)
  return stored?.body.parent?.dfid === dfid ? { asked: path } : {}
}
