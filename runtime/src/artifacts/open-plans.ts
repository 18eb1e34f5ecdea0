/** The plans that claim something of an artifact: those that count, and those whose time is over. */
import type { ContentHash } from 'rubicon-artifacts/store'
import type { DeltaOp } from 'rubicon-kernel'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { dropSlot, loadPlans, type Slot } from './known-world.ts'
import type { PlanRecord } from './plan-record.ts'
import { createRefusal, toConflictRefusal, toDeskRefusal } from './refusal.ts'
import { sortNames } from './symbol-name.ts'
import type { Workshop } from './workshop.ts'
import type { KnownArtifact, OpenPlan } from './world-values.ts'

export type ClaimingPlans = {
  /** By name; what is not in it claims nothing any more. */
  readonly open: ReadonlyMap<ContentHash, Slot<OpenPlan>>
  /** Takes those out of World whose time is over. */
  readonly retractions: readonly DeltaOp[]
}

export async function loadClaimingPlans(
  workshop: Workshop,
  trajectory: string,
  slots: Iterable<Slot<KnownArtifact>>,
  now: string,
): Promise<ClaimingPlans> {
  const ids = [...slots].flatMap(({ value }) => value?.plans ?? [])
  const found = await loadPlans(workshop, trajectory, [...new Set(ids)])
  const open = new Map<ContentHash, Slot<OpenPlan>>()
  const over: Slot<OpenPlan>[] = []
  for (const slot of found) {
    if (slot.value === null) continue
    if (slot.value.until > now) open.set(slot.id as ContentHash, slot)
    else over.push(slot)
  }
  return { open, retractions: over.slice(0, HANDS_LIMITS.expired).map(dropSlot) }
}

/** Conflicts are refused when work is planned: against everything that others have planned and not applied. */
export async function checkConflicts(
  { desk, shelf, strategy }: Workshop,
  own: Pick<PlanRecord, 'key' | 'parts'>,
  open: ClaimingPlans['open'],
): Promise<void> {
  const owners = new Map<string, string>()
  const claims = own.parts.map((part) => part.claims)
  for (const id of open.keys()) {
    const { key, parts } = await shelf.loadPlan(id)
    if (key === own.key)
      throw createRefusal('PLAN_CONFLICT', `the same is planned already: \`${id}\``, {
        candidates: [id],
      })
    owners.set(key, id)
    claims.push(...parts.map((part) => part.claims))
  }
  if (open.size === 0) return
  const answer = await desk.ask({ ask: 'conflicts', strategy, claims })
  if (!answer.ok) throw toDeskRefusal(answer.error)
  const { problems } = answer.value
  // What others agreed on among themselves was judged when they planned it.
  const ours = problems.filter(({ between }) => between.includes(own.key))
  if (ours.length > 0) throw toConflictRefusal(ours, own.key, owners)
}

/** Nobody takes all places of an artifact: a plan costs its agent nothing as long as it is not applied. */
export function checkShare(
  { plans }: KnownArtifact,
  open: ClaimingPlans['open'],
  by: string,
): void {
  const own = plans.filter((id) => open.get(id)?.value?.by === by)
  if (own.length < HANDS_LIMITS.plansOfOne) return
  throw createRefusal(
    'PLAN_TOO_LARGE',
    `one agent has at most ${HANDS_LIMITS.plansOfOne} open plans of an artifact; apply or withdraw one`,
    { candidates: own },
  )
}

/** Of an artifact, with one more or one less; those that count no more are left out. */
export function listClaiming(
  { plans }: KnownArtifact,
  open: ClaimingPlans['open'],
  change: { readonly add?: ContentHash; readonly drop?: ContentHash },
): readonly ContentHash[] {
  const left = plans.filter((id) => open.has(id) && id !== change.drop)
  const all = [...left, ...(change.add === undefined ? [] : [change.add])]
  if (all.length > HANDS_LIMITS.plansEach)
    throw createRefusal(
      'PLAN_TOO_LARGE',
      `an artifact has at most ${HANDS_LIMITS.plansEach} open plans`,
    )
  return sortNames(all) as readonly ContentHash[]
}
