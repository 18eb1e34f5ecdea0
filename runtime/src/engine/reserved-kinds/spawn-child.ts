/**
 * SPAWN_CHILD: opens a flow for another agent, under a part of the authority of this one. What was
 * opened is written down in the same unit, so that the same intent finds its child again.
 */
import type { SignedIntent } from 'rubicon-kernel'
import type { Effect, ProbeAnswer } from '../../ports/capability.ts'
import type { Unit } from '../../ports/store.ts'
import type { Context, UnitEffect } from '../engine-context.ts'
import { type Opening, openFlow, toLastingFailure } from '../flow/open.ts'
import { checkOpening } from '../flow/opening-request.ts'
import { prepareOpening, rememberOpening } from '../flow/prepare-opening.ts'
import { deliverFlowAgain } from './hand-again.ts'
import { toNotApplied } from './not-done.ts'

export async function spawnChild(context: Context, intent: SignedIntent): Promise<Effect> {
  const earlier = await findChild(context, intent)
  if (earlier !== null) return { result: { dfid: earlier } }
  const { authorities, writs } = context
  const opened = await openFlow(context, authorities, writs, parseOpening(intent), (dfid) =>
    buildSpawnedUnit(intent, dfid),
  )
  if (!opened.ok) throw toNotApplied(opened.error)
  context.opened(opened.value)
  return { result: { dfid: opened.value.flow.dfid } }
}

/** Null: its agent has yet to shake hands, which takes a unit of its own. */
export async function prepareChild(
  context: Context,
  intent: SignedIntent,
): Promise<UnitEffect | null> {
  const { authorities, writs, signals, store } = context
  const request = parseOpening(intent)
  const problem = checkOpening(request)
  if (problem !== null) throw toNotApplied(problem)
  const { statuses } = await authorities.loadLatest()
  if ((statuses.get(request.agent) ?? 'INITIALIZING') === 'INITIALIZING') return null
  const began = signals?.readMoment()
  const prepared = await prepareOpening(context, authorities, writs, request)
  if (!prepared.ok) throw toNotApplied(prepared.error)
  const { unit, opened, compiled } = prepared.value
  const { dfid } = opened.flow
  const beside = buildSpawnedUnit(intent, dfid)
  return {
    effect: { result: { dfid } },
    unit: {
      guards: [...beside.guards, ...unit.guards],
      writes: [...unit.writes, ...beside.writes],
    },
    finish() {
      rememberOpening(context, writs, prepared.value)
      if (began !== undefined) signals?.recordOpened(opened, began, compiled)
      context.opened(opened)
    },
    async explain(failed) {
      const lasting = await toLastingFailure(store, failed)
      return lasting === null ? null : toNotApplied(lasting)
    },
  }
}

/** A child that this process did not hand over may have reached nobody. */
export async function probeSpawned(context: Context, intent: SignedIntent): Promise<ProbeAnswer> {
  const dfid = await findChild(context, intent)
  if (dfid === null) return { finding: 'absent' }
  await deliverFlowAgain(context, dfid)
  return { finding: 'applied', effect: { result: { dfid } } }
}

/** The arguments were checked against their schema. */
function parseOpening({ dfid, params, intent_id }: SignedIntent): Opening {
  const by = { kind: 'intent', intent_id } as const
  return { ...(params as unknown as Opening), parent: dfid, by }
}

async function findChild(
  { store }: Context,
  { dfid, step_id, intent_id }: SignedIntent,
): Promise<string | null> {
  const record = await store.readRecord('spawned_child', dfid, step_id)
  return record?.body.intent_id === intent_id ? record.body.dfid : null
}

function buildSpawnedUnit(
  { dfid: group, step_id: key, intent_id }: SignedIntent,
  dfid: string,
): Unit {
  const row = { record: 'spawned_child', group, key } as const
  return {
    guards: [{ kind: 'record_version', ...row, version: null }],
    writes: [{ kind: 'put_record', ...row, body: { dfid, intent_id } }],
  }
}
