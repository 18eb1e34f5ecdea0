/**
 * Plans work, and keeps it: as a blob, and as a fact of World that claims what it writes.
 *
 * K1 what is recorded is what the runtime found, not what the agent said: symbols, bases, claims.
 * K2 nothing of an artifact is changed by it but the list of those who claim something of it.
 */
import type { PlannedChange } from 'rubicon-artifacts/desk'
import {
  type DeltaOp,
  formatInstant,
  parseInstant,
  type SignedIntent,
  shorten,
} from 'rubicon-kernel'
import type { Effect } from '../ports/capability.ts'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { checkPlanned, listPlannedSymbols } from './check-planned.ts'
import { composePlan } from './compose-plan.ts'
import { checkEffectSize } from './effect-size.ts'
import {
  getKnown,
  getSlot,
  type KnownProject,
  loadArtifacts,
  loadProject,
  putSlot,
  toArtifactValue,
} from './known-world.ts'
import { checkConflicts, checkShare, listClaiming, loadClaimingPlans } from './open-plans.ts'
import { buildDifference } from './plan-difference.ts'
import { listPlanArtifacts, toPlanParams } from './plan-params.ts'
import type { PlannedPart, PlanRecord } from './plan-record.ts'
import { type PlannedWork, planWork, toContentHash } from './planned-work.ts'
import { formatSymbolCount } from './symbol-name.ts'
import type { Workshop } from './workshop.ts'
import { type OpenPlan, PLAN } from './world-values.ts'

export async function keepPlan(workshop: Workshop, intent: SignedIntent): Promise<Effect> {
  const { trajectory, agent_id: agent, staged_at: now } = intent
  const params = toPlanParams(intent.params)
  const slots = await loadArtifacts(workshop, trajectory, listPlanArtifacts(params))
  const project = await loadProject(workshop, trajectory)
  const work = await planWork(workshop, { agent, trajectory, params, slots, project })
  checkPlanned(workshop, work.changes, params.symbols)
  const record = await buildRecord(workshop, intent, work, project)
  const plans = await loadClaimingPlans(workshop, trajectory, slots.values(), now)
  await checkConflicts(workshop, record, plans.open)
  // What was applied since an older base is found to be in its way now, not when it is applied.
  await composePlan(workshop, record, { slots, project })
  const id = await workshop.shelf.putPlan(record)
  const value = await buildOpenPlan(workshop, record, work.changes)
  const slot = { kind: PLAN, id, version: 0, value: null }
  const delta: DeltaOp[] = [...plans.retractions, putSlot(slot, JSON.parse(JSON.stringify(value)))]
  for (const { artifact } of record.parts) {
    const known = getKnown(slots, artifact)
    checkShare(known, plans.open, agent)
    const claiming = listClaiming(known, plans.open, { add: id })
    delta.push(putSlot(getSlot(slots, artifact), toArtifactValue({ ...known, plans: claiming })))
  }
  const { symbols, until, summary, artifacts } = value
  const effect: Effect = {
    result: {
      plan: id,
      ...{ symbols: [...symbols], until, summary },
      artifacts: artifacts.map(({ name }) => name),
    },
    delta,
  }
  checkEffectSize(effect)
  return effect
}

async function buildRecord(
  { shelf, planMs }: Workshop,
  { agent_id, dfid, step_id, staged_at }: SignedIntent,
  { what, key, changes, undoes }: PlannedWork,
  { root }: KnownProject,
): Promise<PlanRecord> {
  const parts: PlannedPart[] = []
  for (const { artifact, base, after, deltas, claims, splices, steps, symbols } of changes)
    parts.push({
      artifact,
      base: toContentHash(base),
      after: await shelf.putText(after),
      ...{ deltas, claims, splices, steps, symbols },
      undoes: undoes.get(artifact) ?? null,
    })
  const until = formatInstant((parseInstant(staged_at) ?? 0) + planMs)
  return {
    ...{ protocol: 1, what, parts, symbols: listPlannedSymbols(changes), by: agent_id },
    ...{ dfid, step_id, until, key, root },
  }
}

async function buildOpenPlan(
  workshop: Workshop,
  { symbols, parts, by, until, what }: PlanRecord,
  changes: readonly PlannedChange[],
): Promise<OpenPlan> {
  const names = parts.map(({ artifact }) => artifact).join(', ')
  return {
    ...{ symbols, by, until, what },
    artifacts: parts.map(({ artifact, base }) => ({ name: artifact, base })),
    summary: shorten(
      `${what}: ${formatSymbolCount(symbols.length)} of ${names}`,
      HANDS_LIMITS.summaryLength,
    ),
    difference: await buildDifference(workshop, changes),
  }
}
