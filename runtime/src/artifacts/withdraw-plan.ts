/** Takes a plan back that was not applied: what it claims is free. */
import type { ContentHash } from 'rubicon-artifacts/store'
import type { DeltaOp, SignedIntent } from 'rubicon-kernel'
import type { Effect } from '../ports/capability.ts'
import {
  dropSlot,
  getSlot,
  loadArtifacts,
  loadPlans,
  putSlot,
  toArtifactValue,
} from './known-world.ts'
import { listClaiming, loadClaimingPlans } from './open-plans.ts'
import { createRefusal } from './refusal.ts'
import type { Workshop } from './workshop.ts'

/** Null: it is not open any more. */
export async function withdrawPlan(
  workshop: Workshop,
  {
    trajectory,
    staged_at: now,
    agent_id,
  }: Pick<SignedIntent, 'trajectory' | 'staged_at' | 'agent_id'>,
  id: ContentHash,
): Promise<Effect | null> {
  const [slot] = await loadPlans(workshop, trajectory, [id])
  if (slot === undefined || slot.value === null) return null
  if (slot.value.by !== agent_id)
    throw createRefusal('PLAN_UNKNOWN', `\`${id}\` is a plan of somebody else`)
  const names = slot.value.artifacts.map(({ name }) => name)
  const slots = await loadArtifacts(workshop, trajectory, names)
  const { open, retractions } = await loadClaimingPlans(workshop, trajectory, slots.values(), now)
  const others = retractions.filter((op) => op.id !== id)
  const delta: DeltaOp[] = [...others, dropSlot(slot)]
  for (const name of names) {
    const known = slots.get(name)?.value ?? null
    if (known === null || !known.plans.includes(id)) continue
    const plans = listClaiming(known, open, { drop: id })
    delta.push(putSlot(getSlot(slots, name), toArtifactValue({ ...known, plans })))
  }
  return { result: { plan: id, withdrawn: true }, delta }
}
