/**
 * What has become of the act that a flow was opened with, without waiting; whatever its agent has proposed
 * in the flow since.
 *
 * T1 the first refusal, or the first intent, is what was decided about it; before that people may be asked,
 *    and asked again.
 * T2 a flow may be long, and whoever asks may ask often: what was decided stands beside the opening, and no
 *    more of the flow is read unless people were asked.
 * T3 as long as somebody is asked, nobody has answered, however many of those who have to have.
 */
import {
  type Answer,
  type DecisionRecord,
  type EntryKind,
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
import { buildFlowArchivedFailure, isArchived } from '../rows/archived-flow.ts'
import { buildFlowErasedFailure, isErased } from '../rows/erased-flow.ts'
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
  // Without its words nothing is known to have been refused: whoever heard so would do it again.
  if (isErased(flow)) return err(buildFlowErasedFailure(dfid))
  if (isArchived(flow)) return err(buildFlowArchivedFailure(dfid))
  const answer = await findActAnswer(context, flow, await readEntriesAboutAct(context, dfid))
  return ok(answer ?? buildUnstoredAnswer(dfid, 'FLOW_NOT_OPEN', 'repeat', { state: flow.state }))
}

/** How many entries the opening and the decision of an act have, with what stands between them; and some more. */
const NEAR = 8

async function readEntriesAboutAct(
  { store }: Context,
  dfid: string,
): Promise<readonly StoredEntry[]> {
  const [opening] = await store.listFlowEntries(dfid, ['writ'])
  if (opening === undefined) return []
  const { trajectory, seq } = opening.envelope
  const beside = await store.listEntries(trajectory, seq, NEAR)
  const own = beside.filter(({ envelope }) => envelope.dfid === dfid)
  const first = own.find(isDecision)
  const isDecided = first !== undefined && first.envelope.kind !== 'pending_approval'
  return isDecided ? own : store.listFlowEntries(dfid, [...DECISIONS, 'approval'])
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
    if (envelope.kind !== 'pending_approval') return buildIntentAnswer(context, spoken, entry)
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
): Promise<Answer | null> {
  const { step_id, intent_id } = parseDecision(decided.payload ?? '').intent
  const row = await loadExecution(store, spoken.dfid, step_id)
  const isOwn = row !== null && parseIntent(row.intent).intent_id === intent_id
  if (isOwn && row.status !== 'ABANDONED') return buildAcceptedAnswer(row, spoken.attempts)
  const settled = await store.listFlowEntries(spoken.dfid, ['settle'])
  const code = findGivenBackCode(settled, intent_id)
  const reason = isReasonCode(code) ? code : 'DISPATCH_EXPIRED'
  return buildRefusalAnswer(spoken, formatEntryPlace(decided), 'dispatch', reason, {})
}

const DECISIONS: readonly EntryKind[] = ['rejection', 'pending_approval', 'accepted', 'dispatch']

function isDecision({ envelope }: StoredEntry): boolean {
  return DECISIONS.includes(envelope.kind)
}

type Decision = Pick<DecisionRecord, 'attempt' | 'facts'> & { readonly intent: SignedIntent }

function parseDecision(payload: string): Decision {
  return JSON.parse(payload) as Decision
}

function findGivenBackCode(settled: readonly StoredEntry[], intentId: string): string {
  for (const { payload } of settled) {
    if (payload === null) continue
    const { intent_id, reason_code } = JSON.parse(payload) as SettlePayload
    if (intent_id === intentId) return reason_code
  }
  return ''
}
