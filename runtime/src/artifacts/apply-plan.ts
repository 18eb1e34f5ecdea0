/**
 * Applies a plan, and takes back what was applied.
 *
 * Q1 a plan is applied once: World has it no more behind it.
 * Q2 the symbols that the decision was made on are those of the plan; the plan is what its hash says.
 */
import { type ContentHash, isContentHash } from 'rubicon-artifacts/store'
import type { SignedIntent } from 'rubicon-kernel'
import { composePlan } from './compose-plan.ts'
import { listOwnChanges } from './follow-changes.ts'
import {
  dropSlot,
  type KnownProject,
  loadArtifacts,
  loadPlans,
  loadProject,
  type Slot,
} from './known-world.ts'
import { loadClaimingPlans } from './open-plans.ts'
import type { PlanRecord } from './plan-record.ts'
import { planInverses, toContentHash } from './planned-work.ts'
import {
  type ChangedText,
  type PreparedChange,
  prepareChange,
  toChangedText,
} from './prepare-change.ts'
import { createRefusal } from './refusal.ts'
import { isSameNames } from './symbol-name.ts'
import type { Workshop } from './workshop.ts'
import { isTexts, type KnownArtifact } from './world-values.ts'

export async function prepareApply(
  workshop: Workshop,
  intent: SignedIntent,
): Promise<PreparedChange> {
  const { trajectory, staged_at: now } = intent
  const id = getPlanId(intent)
  const [slot] = await loadPlans(workshop, trajectory, [id])
  if (slot === undefined || slot.value === null)
    throw createRefusal('PLAN_UNKNOWN', `\`${id}\` is no open plan`)
  const record = await workshop.shelf.loadPlan(id)
  checkStillMeant(intent, record, slot.value.symbols)
  const names = record.parts.map(({ artifact }) => artifact)
  const slots = await loadArtifacts(workshop, trajectory, names)
  const project = await loadProject(workshop, trajectory)
  const texts = await loadTexts(workshop, record, { slots, project })
  const plans = await loadClaimingPlans(workshop, trajectory, slots.values(), now)
  const prepared = await prepareChange(
    workshop,
    { what: record.what, plan: id, key: record.key, intent },
    texts,
    { slots, project, open: plans.open },
  )
  const { result, delta } = prepared.effect
  const others = plans.retractions.filter((op) => op.id !== id)
  return {
    files: prepared.files,
    effect: {
      ...(result === undefined ? {} : { result }),
      delta: [...others, dropSlot(slot), ...delta],
    },
  }
}

/** Q2. The law has judged all of this; here it is not relied on. */
function checkStillMeant(
  { params, staged_at }: SignedIntent,
  record: PlanRecord,
  recorded: readonly string[],
): void {
  const { symbols } = params
  if (record.until <= staged_at)
    throw createRefusal('PLAN_EXPIRED', `it was over at ${record.until}`)
  const isExact =
    isTexts(symbols) &&
    isSameNames(symbols, record.symbols) &&
    isSameNames(recorded, record.symbols)
  if (!isExact)
    throw createRefusal('PLAN_SYMBOLS', 'the symbols are not those of the plan', {
      candidates: record.symbols,
    })
}

async function loadTexts(
  workshop: Workshop,
  record: PlanRecord,
  on: { readonly slots: ReadonlyMap<string, Slot<KnownArtifact>>; readonly project: KnownProject },
): Promise<readonly ChangedText[]> {
  const undoes = new Map(record.parts.map((part) => [part.artifact, part.undoes]))
  const composed = await composePlan(workshop, record, on)
  if (composed !== null)
    return composed.map((change) =>
      toChangedText(
        { ...change, base: toContentHash(change.base) },
        undoes.get(change.artifact) ?? null,
      ),
    )
  const texts: ChangedText[] = []
  for (const { after, ...part } of record.parts)
    texts.push({ ...part, after: await workshop.shelf.loadText(after, part.artifact) })
  return texts
}

/** Null: nothing of it stands. What came later stays; what stands on it refuses. */
export async function prepareRevert(
  workshop: Workshop,
  original: SignedIntent,
): Promise<PreparedChange> {
  const { trajectory, dfid, step_id, staged_at } = original
  const record = await workshop.shelf.loadPlan(getPlanId(original))
  const names = record.parts.map(({ artifact }) => artifact)
  const slots = await loadArtifacts(workshop, trajectory, names)
  const project = await loadProject(workshop, trajectory)
  const wanted: { artifact: string; change: ContentHash }[] = []
  for (const artifact of names) {
    const known = slots.get(artifact)?.value ?? null
    const own = known === null ? [] : await listOwnChanges(workshop.shelf, known)
    const made = own.find((one) => one.record.dfid === dfid && one.record.step_id === step_id)
    if (made === undefined)
      throw createRefusal(
        'CHANGE_UNKNOWN',
        `what was done to \`${artifact}\` is not known any more`,
        {
          artifact,
        },
      )
    wanted.push({ artifact, change: made.hash })
  }
  const key = `revert ${dfid} ${step_id}`
  const changes = await planInverses(workshop, { key, slots, project }, wanted)
  const plans = await loadClaimingPlans(workshop, trajectory, slots.values(), staged_at)
  const texts = changes.map((change) =>
    toChangedText(
      { ...change, base: toContentHash(change.base) },
      wanted.find(({ artifact }) => artifact === change.artifact)?.change ?? null,
    ),
  )
  return prepareChange(workshop, { what: 'revert', plan: null, key, intent: original }, texts, {
    slots,
    project,
    open: plans.open,
  })
}

export function getPlanId({ params }: Pick<SignedIntent, 'params'>): ContentHash {
  const { plan } = params
  if (isContentHash(plan)) return plan
  throw createRefusal('PLAN_UNKNOWN', 'no plan is named')
}
