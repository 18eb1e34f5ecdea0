/**
 * `artifact.apply`: writes the files of `main`, and World everywhere.
 *
 * H1 on any other trajectory no file is touched.
 * H2 what became of it is found out by working it out again and looking at the files: they are what it writes, or what was there
 *    before, or nobody knows.
 */
import type { SignedIntent } from 'rubicon-kernel'
import type { Capability, Effect, EffectIo, ProbeAnswer } from '../ports/capability.ts'
import { prepareApply, prepareRevert } from './apply-plan.ts'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { checkEffectSize } from './effect-size.ts'
import {
  findPlanProblem,
  LOCK_WAIT_MS,
  listPlanReads,
  listPlanRows,
  NAMED_PLAN_SCHEMA,
  WRITTEN,
} from './plan-law.ts'
import type { PreparedChange } from './prepare-change.ts'
import { FILED, LOCK, type Workshop } from './workshop.ts'
import { inspectFiles, writeFiles } from './write-files.ts'

export function createApplyKind(workshop: Workshop): Capability {
  return {
    kind: 'artifact.apply',
    summary: 'Applies a plan: what it changes is written, and known',
    effect: 'queryable',
    risk: 'medium',
    reversible: true,
    // H1.
    branches: 'world',
    params: NAMED_PLAN_SCHEMA,
    scopes: WRITTEN,
    sendDeadlineMs: HANDS_LIMITS.sendMs,
    lockWaitMs: LOCK_WAIT_MS,
    reads: listPlanReads,
    resources: () => [LOCK],
    precondition: findPlanProblem,
    preview: listPlanRows,
    execute: async (intent, io) =>
      carryOut(workshop, intent, io, await prepareApply(workshop, intent)),
    probe: {
      absence_authoritative: true,
      // Behind its deadline nothing is written any more.
      max_late_arrival_s: HANDS_LIMITS.sendMs / 1_000,
      ask: (intent) => probeChange(workshop, intent, () => prepareApply(workshop, intent)),
      askUndone: (original) =>
        probeChange(workshop, original, () => prepareRevert(workshop, original)),
    },
    compensate: async (original, io) =>
      carryOut(workshop, original, io, await prepareRevert(workshop, original)),
  }
}

/** The last thing that is done: behind it there is nothing that could fail. */
function carryOut(
  { files }: Workshop,
  { trajectory, dfid, step_id }: SignedIntent,
  io: EffectIo,
  prepared: PreparedChange,
): Effect {
  checkEffectSize(prepared.effect)
  if (files !== null && isFiled(trajectory))
    writeFiles(files, prepared.files, { by: 'runtime', dfid, step_id }, () => io.signal)
  return prepared.effect
}

/** H1. */
function isFiled(trajectory: string): boolean {
  return trajectory === FILED
}

/** H2, of an application and of taking one back. */
async function probeChange(
  { files }: Workshop,
  { trajectory }: SignedIntent,
  prepare: () => Promise<PreparedChange>,
): Promise<ProbeAnswer> {
  // Nothing leaves the process: what World does not have did not happen.
  if (files === null || !isFiled(trajectory)) return { finding: 'absent' }
  const { files: changes, effect } = await prepare()
  const state = inspectFiles(files, changes)
  if (state === 'after') return { finding: 'applied', effect }
  if (state === 'before') return { finding: 'absent', detail: 'the files are as they were' }
  return { finding: 'inconclusive', detail: 'somebody else has changed the files since' }
}
