/**
 * Effects that a person has settled together with their flow: put right by hand, or left as they are.
 * Nobody takes them back after that, whichever flow is chosen about.
 */
import { LIMITS, toUndoStep } from 'rubicon-kernel'
import type { Guard, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import type { Undoable } from './load-saga.ts'

/** The steps of a flow whose effects were settled: no more than a flow may have. */
export async function readSettledSteps(
  { store }: Context,
  dfid: string,
): Promise<ReadonlySet<string>> {
  const records = await store.listRecords('settled_effect', dfid, {
    limit: LIMITS.proposalsPerFlow,
  })
  return new Set(records.map(({ key }) => key))
}

/** No person has settled the effect. */
export function buildUnsettledGuard(group: string, key: string): Guard {
  return { kind: 'record_version', record: 'settled_effect', group, key, version: null }
}

/** Nobody has begun to take the effect back. */
export function buildNotUndoneGuard({ dfid, step_id }: Undoable): Guard {
  return { kind: 'claim_absent', dfid, step_id: toUndoStep(step_id) }
}

export function settleEffect({ dfid, step_id, intent_id }: Undoable): Write {
  const body = { intent_id }
  return { kind: 'put_record', record: 'settled_effect', group: dfid, key: step_id, body }
}
