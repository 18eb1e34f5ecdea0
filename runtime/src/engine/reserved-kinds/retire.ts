/** RETIRE: the only move that an agent may ask for itself. */

import type { SignedIntent } from 'rubicon-kernel'
import type { Effect, ProbeAnswer } from '../../ports/capability.ts'
import type { InSession } from '../authority/registry/in-session.ts'
import { buildRetirement, moveUnit, retireItself } from '../authority/registry/lifecycle.ts'
import type { Context, UnitEffect } from '../engine-context.ts'
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

export async function prepareRetirement(
  context: Context,
  { agent_id, params }: SignedIntent,
): Promise<UnitEffect> {
  const { authorities } = context
  const authority = await authorities.loadLatest()
  const move = buildRetirement(agent_id, String(params.reason))
  const moved = await moveUnit(context, authority, move)
  if (!moved.ok) throw toNotApplied(moved.error)
  return {
    effect: {},
    unit: moved.value,
    finish: () => authorities.follow(authority.seq + 1),
    explain: () => null,
  }
}

export async function probeRetired(
  { authorities }: Context,
  { agent_id }: SignedIntent,
): Promise<ProbeAnswer> {
  const status = (await authorities.loadLatest()).statuses.get(agent_id)
  return { finding: status === 'RETIRED' ? 'applied' : 'absent' }
}
