/** RETIRE: the only move that an agent may ask for itself. */

import type { SignedIntent } from 'rubicon-kernel'
import type { Effect, ProbeAnswer } from '../../ports/capability.ts'
import type { InSession } from '../authority/registry/in-session.ts'
import { retireItself } from '../authority/registry/lifecycle.ts'
import type { Context } from '../engine-context.ts'
import { toNotApplied } from './not-done.ts'

export type RetireOptions = InSession & { readonly reason?: string }

export async function retire(
  context: Context,
  { agent_id, params }: SignedIntent,
): Promise<Effect> {
  const retired = await retireItself(context, agent_id, String(params.reason))
  if (!retired.ok) throw toNotApplied(retired.error)
  return {}
}

export async function probeRetired(
  { authorities }: Context,
  { agent_id }: SignedIntent,
): Promise<ProbeAnswer> {
  const status = (await authorities.loadLatest()).statuses.get(agent_id)
  return { finding: status === 'RETIRED' ? 'applied' : 'absent' }
}
