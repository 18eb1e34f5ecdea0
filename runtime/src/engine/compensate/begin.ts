/**
 * COMPENSATE: a choice is made, once, and carried out. The choice is durable before anything is
 * undone; asked a second time under the same intent, it is found and carried on with.
 */
import { ALERT_HUMAN, assert, type JsonObject, type SignedIntent } from 'rubicon-kernel'
import { type Effect, NotApplied, type ProbeAnswer } from '../../ports/capability.ts'
import type { Context } from '../engine-context.ts'
import { buildNoticeWrite } from '../notices/queue.ts'
import { addTag, moveFlow } from '../rows/flow-row.ts'
import {
  buildUntouchedDirtyGuard,
  type DirtyFlow,
  findDirty,
  putDirty,
} from '../saga/dirty-record.ts'
import { buildSagaEntry } from '../saga/saga-entry.ts'
import { continueSaga } from './continue.ts'

export async function compensate(context: Context, intent: SignedIntent): Promise<Effect> {
  const { dfid, action } = parseChosen(intent)
  const record = await findDirty(context.store, dfid)
  if (record === null || !isChosenBy(record, intent)) await choose(context, intent, record)
  const standing = await continueSaga(context, dfid)
  return { result: { dfid, action, standing } }
}

/** Whether the choice was made. */
export async function probeChosen(context: Context, intent: SignedIntent): Promise<ProbeAnswer> {
  const { dfid } = parseChosen(intent)
  const record = await findDirty(context.store, dfid)
  if (record === null || !isChosenBy(record, intent)) return { finding: 'absent' }
  return { finding: 'applied', effect: await compensate(context, intent) }
}

function parseChosen({ params: { dfid, action } }: SignedIntent): {
  readonly dfid: string
  readonly action: string
} {
  assert(typeof dfid === 'string' && typeof action === 'string', 'the arguments were checked')
  return { dfid, action }
}

function isChosenBy({ body }: DirtyFlow, { intent_id }: SignedIntent): boolean {
  return body.chosen?.intent_id === intent_id
}

async function choose(
  context: Context,
  intent: SignedIntent,
  record: DirtyFlow | null,
): Promise<void> {
  const { store, failpoints } = context
  const { dfid, action } = parseChosen(intent)
  const flow = await store.readFlow(dfid)
  if (record?.body.standing !== 'open' || flow === null)
    throw new NotApplied('the flow is not dirty any more', { details: { dfid } })
  const byPerson = action === ALERT_HUMAN
  const standing = byPerson ? 'with_person' : 'compensating'
  const chosen = { dfid: intent.dfid, step_id: intent.step_id, intent_id: intent.intent_id }
  const { now } = await store.readNow(flow.trajectory)
  const details: JsonObject = { action, ...chosen }
  const asked = moveFlow(flow, [], now, { tags: addTag(flow.tags, 'NEEDS_REVIEW') })
  await failpoints.reach('compensate.before_choice')
  const outcome = await store.commit({
    guards: [
      buildUntouchedDirtyGuard(dfid, record),
      { kind: 'flow_version', dfid, version: flow.version },
    ],
    writes: [
      buildSagaEntry(context, flow, byPerson ? 'MANUAL_REVIEW' : 'COMPENSATING', details),
      putDirty(dfid, { ...record.body, standing, action, chosen }),
      ...(byPerson
        ? [
            { kind: 'put_flow', flow: asked } as const,
            buildNoticeWrite({
              id: `${dfid}:alert:${now}`,
              kind: 'manual_review',
              agent_id: flow.agent_id,
              dfid,
              reason_code: 'PARTIAL_SUCCESS_DIRTY',
              channel: 'operator',
              at: now,
              details,
            }),
          ]
        : []),
    ],
  })
  await failpoints.reach('compensate.after_choice')
  if (!outcome.ok) throw new NotApplied('the flow moved meanwhile', { transient: true })
}
