/** `artifact.plan` and `artifact.withdraw`: they change World alone. */
import type { ContentHash } from 'rubicon-artifacts/store'
import type { SignedIntent } from 'rubicon-kernel'
import type { Capability } from '../ports/capability.ts'
import { getPlanId } from './apply-plan.ts'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { keepPlan } from './keep-plan.ts'
import { loadArtifacts } from './known-world.ts'
import {
  findUnnamedArtifact,
  findWithdrawalProblem,
  LOCK_WAIT_MS,
  listArtifactReads,
  listPlanReads,
  NAMED_PLAN_SCHEMA,
  WRITTEN,
} from './plan-law.ts'
import { listPlanArtifacts, PLAN_SCHEMA, toPlanParams } from './plan-params.ts'
import { createRefusal } from './refusal.ts'
import { withdrawPlan } from './withdraw-plan.ts'
import { LOCK, type Workshop } from './workshop.ts'
import { WORLD_PROBE } from './world-probe.ts'

export function createPlanKind(workshop: Workshop): Capability {
  return {
    kind: 'artifact.plan',
    summary:
      'Plans changes of artifacts, an undo or a merge; nothing is written before it is applied',
    effect: 'put_if_match',
    risk: 'low',
    reversible: true,
    worldOnly: true,
    params: PLAN_SCHEMA,
    scopes: WRITTEN,
    sendDeadlineMs: HANDS_LIMITS.sendMs,
    lockWaitMs: LOCK_WAIT_MS,
    reads: (params) => listArtifactReads(listPlanArtifacts(toPlanParams(params))),
    resources: () => [LOCK],
    precondition: findUnnamedArtifact,
    execute: (intent) => keepPlan(workshop, intent),
    probe: WORLD_PROBE,
    compensate: async (intent) => {
      const id = await findPlanOf(workshop, intent)
      const withdrawn = id === null ? null : await withdrawPlan(workshop, intent, id)
      return withdrawn ?? { delta: [] }
    },
  }
}

/** The plan that a step made, while it claims anything. */
async function findPlanOf(
  workshop: Workshop,
  { trajectory, params, dfid, step_id }: SignedIntent,
): Promise<ContentHash | null> {
  const names = listPlanArtifacts(toPlanParams(params))
  const slots = await loadArtifacts(workshop, trajectory, names)
  for (const id of new Set([...slots.values()].flatMap(({ value }) => value?.plans ?? []))) {
    const record = await workshop.shelf.loadPlan(id)
    if (record.dfid === dfid && record.step_id === step_id) return id
  }
  return null
}

export function createWithdrawKind(workshop: Workshop): Capability {
  return {
    kind: 'artifact.withdraw',
    summary: 'Takes a plan of its own back: what it claims is free',
    effect: 'put_if_match',
    risk: 'low',
    reversible: true,
    worldOnly: true,
    params: NAMED_PLAN_SCHEMA,
    scopes: WRITTEN,
    sendDeadlineMs: HANDS_LIMITS.sendMs,
    lockWaitMs: LOCK_WAIT_MS,
    reads: listPlanReads,
    resources: () => [LOCK],
    precondition: findWithdrawalProblem,
    execute: async (intent) => {
      const id = getPlanId(intent)
      const withdrawn = await withdrawPlan(workshop, intent, id)
      if (withdrawn === null) throw createRefusal('PLAN_UNKNOWN', `\`${id}\` is no open plan`)
      return withdrawn
    },
    probe: WORLD_PROBE,
    // Whoever wants it again plans it again: what it claimed may be somebody else's by now.
    compensate: () => ({ delta: [] }),
  }
}
