/**
 * What has become of the act that a flow was opened with, without waiting; whatever its agent has proposed
 * in the flow since.
 *
 * T1 the first refusal, or the first intent, is what was decided about it; before that people may be asked,
 *    and asked again.
 * T2 as long as somebody is asked, nobody has answered, however many of those who have to have.
 */
import {
  type Answer,
  type DecisionRecord,
  err,
  type Failure,
  isReasonCode,
  ok,
  type Result,
  type SettlePayload,
  type SignedIntent,
} from 'rubicon-kernel'
import type { FlowRow, StoredEntry } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { loadExecution } from '../rows/all-executions.ts'
import { buildAcceptedAnswer, buildUnstoredAnswer } from '../rows/answer.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import {
  buildRefusalAnswer,
  formatEntryPlace,
  parseApproval,
  parseRejection,
  type Spoken,
  toDecisionAnswer,
  toEscalationAnswer,
  toRejectionAnswer,
} from './entry-answer.ts'
import { unknownFlow } from './settled.ts'

export async function readActAnswer(
  context: Context,
  dfid: string,
): Promise<Result<Answer, Failure>> {
  const flow = await context.store.readFlow(dfid)
  if (flow === null) return err(unknownFlow)
  const answer = await findActAnswer(context, flow, await context.store.listFlowEntries(dfid))
  return ok(answer ?? buildUnstoredAnswer(dfid, 'FLOW_NOT_OPEN', 'repeat', { state: flow.state }))
}

/** Null: the record does not say, or not any more. */
async function findActAnswer(
  context: Context,
  flow: FlowRow,
  entries: readonly StoredEntry[],
): Promise<Answer | null> {
  let asked: Answer | null = null
  let answered: Answer | null = null
  let isOver = false
  for (const entry of entries) {
    const { envelope, payload } = entry
    if (payload === null) continue
    if (envelope.kind === 'approval') {
      const approval = parseApproval(payload)
      answered = toDecisionAnswer(flow, entry, approval)
      isOver = answered?.outcome !== 'ACCEPTED'
    }
    if (!isDecision(entry)) continue
    const { attempt, facts } = parseDecision(payload)
    // Nobody asks any more: this is the next that its agent proposes.
    if (isOver && facts?.approval == null) break
    const spoken: Spoken = { dfid: flow.dfid, attempts: attempt }
    if (envelope.kind === 'rejection')
      return toRejectionAnswer(spoken, entry, parseRejection(payload))
    if (envelope.kind !== 'pending_approval')
      return buildIntentAnswer(context, spoken, entry, entries)
    asked = toEscalationAnswer(spoken, entry, payload)
    answered = null
    isOver = false
  }
  return flow.state === 'ESCALATED' && !isOver ? asked : answered
}

/** An intent that was given back before it was sent has left its step to others. */
async function buildIntentAnswer(
  { store }: Context,
  spoken: Spoken,
  decided: StoredEntry,
  entries: readonly StoredEntry[],
): Promise<Answer | null> {
  const { step_id, intent_id } = parseDecision(decided.payload ?? '').intent
  const row = await loadExecution(store, spoken.dfid, step_id)
  const isOwn = row !== null && parseIntent(row.intent).intent_id === intent_id
  if (isOwn && row.status !== 'ABANDONED') return buildAcceptedAnswer(row, spoken.attempts)
  const back = entries.map(parseSettle).find((settle) => settle?.intent_id === intent_id)
  const code = back?.reason_code ?? ''
  const reason = isReasonCode(code) ? code : 'DISPATCH_EXPIRED'
  return buildRefusalAnswer(spoken, formatEntryPlace(decided), 'dispatch', reason, {})
}

const DECISIONS: readonly string[] = ['rejection', 'pending_approval', 'accepted', 'dispatch']

function isDecision({ envelope }: StoredEntry): boolean {
  return DECISIONS.includes(envelope.kind)
}

type Decision = Pick<DecisionRecord, 'attempt' | 'facts'> & { readonly intent: SignedIntent }

function parseDecision(payload: string): Decision {
  return JSON.parse(payload) as Decision
}

function parseSettle({ envelope, payload }: StoredEntry): SettlePayload | null {
  return envelope.kind === 'settle' && payload !== null ? JSON.parse(payload) : null
}
