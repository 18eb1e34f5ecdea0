/** Starts a new trajectory from an entry of another, with its World. */
import {
  err,
  type Failure,
  isFlowTrajectory,
  isIdentifier,
  ok,
  type Position,
  type Result,
} from 'rubicon-kernel'
import type { Engine } from '../engine/engine.ts'

export type BranchRequest = {
  readonly source: Position
  readonly name: string
  readonly note: string
}

export async function branchTrajectory(
  { context: { store } }: Engine,
  { source, name, note }: BranchRequest,
): Promise<Result<{ readonly trajectory: string; readonly id: string }, Failure>> {
  if (!isIdentifier(name))
    return err({
      code: 'ID_CHARSET',
      summary: `\`${name}\` is not an identifier`,
      fix: 'use plain ASCII',
    })
  // Also before the first of them: nothing but its own kinds may stand there.
  if (!isFlowTrajectory(name)) return err(createExistsFailure(name))
  const [entry] = await store.listEntries(source.trajectory, source.seq, 1)
  if (entry === undefined)
    return err({
      code: 'ENTRY_UNKNOWN',
      summary: `there is no entry ${source.trajectory}/${source.seq}`,
      fix: 'see `rubicon ledger show`',
    })
  const outcome = await store.commit({
    guards: [{ kind: 'trajectory_absent', trajectory: name }],
    writes: [{ kind: 'append_branch', trajectory: name, source, note }],
  })
  if (!outcome.ok) return err(createExistsFailure(name))
  return ok({ trajectory: name, id: outcome.entries[0]?.id ?? '' })
}

function createExistsFailure(name: string): Failure {
  return {
    code: 'TRAJECTORY_EXISTS',
    summary: `\`${name}\` exists already`,
    fix: 'choose another name',
  }
}
