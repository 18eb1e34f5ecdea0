/**
 * What is told of an effect: that it was accepted or dispatched, what became of it, and how long it
 * took to take one back. Spans are named by the intent, so that any engine can go on with them.
 */
import { isSettled, parseInstant, type SignedIntent } from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import type { ShownParams, SpanRef } from '../../ports/telemetry.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { showParams } from './shown-params.ts'
import { dispatchSpan, toFlowSpan, toProposalSpan } from './span-refs.ts'
import { type Interval, type Teller, toFailureAttributes, toKnownCode } from './teller.ts'

export function tellSent(
  teller: Teller,
  entry: 'accepted' | 'dispatch' | 'resend',
  execution: ExecutionRow,
  interval: Interval,
): void {
  const intent = parseIntent(execution.intent)
  const { dfid, agent_id, intent_id, policy_kind, attempt } = intent
  const isDispatch = entry !== 'accepted'
  teller.telemetry.span({
    ref: isDispatch ? dispatchSpan(intent, execution.sends) : acceptSpan(intent),
    parent: toCauseSpan(intent),
    ...interval,
    attributes: {
      'gen_ai.agent.id': agent_id,
      'gen_ai.tool.call.id': intent_id,
      'gen_ai.tool.name': policy_kind,
      ...(isDispatch ? { 'rubicon.send': execution.sends } : {}),
    },
  })
  teller.writeLine({
    level: 'info',
    event: isDispatch ? 'effect_dispatched' : 'intent_accepted',
    dfid,
    agent_id,
    attempt,
    policy_kind,
    intent_id,
    params: showIntentParams(teller, intent),
  })
}

/** What a `settle` or `commit` entry says. */
export type Settled = {
  readonly intent_id: string
  readonly status: string
  readonly reason_code?: string
  readonly settled_by?: string
}

/** `execution`: as it stands now; undefined for what was given back before its dispatch. */
export function tellSettled(
  teller: Teller,
  dfid: string,
  { intent_id, status, reason_code, settled_by }: Settled,
  execution: ExecutionRow | undefined,
  interval: Interval,
): void {
  const { telemetry } = teller
  const intent = { dfid, intent_id }
  telemetry.count('rubicon_effects_total', { status })
  telemetry.span({
    ref: { dfid, name: 'settlement', ordinal: `${intent_id}:${execution?.version ?? 0}` },
    parent: execution === undefined ? acceptSpan(intent) : dispatchSpan(intent, execution.sends),
    ...interval,
    failed: status !== 'SUCCESS',
    attributes: {
      'gen_ai.tool.call.id': intent_id,
      'rubicon.status': status,
      ...(settled_by === undefined ? {} : { 'rubicon.settled_by': settled_by }),
      ...toFailureAttributes(reason_code),
    },
  })
  const known = execution === undefined ? null : parseIntent(execution.intent)
  teller.writeLine({
    level: status === 'SUCCESS' ? 'info' : 'warn',
    event: 'effect_settled',
    dfid,
    ...(known === null ? {} : { agent_id: known.agent_id, policy_kind: known.policy_kind }),
    intent_id,
    status,
    ...toKnownCode(reason_code),
  })
  if (known !== null && execution !== undefined) tellUndone(teller, known, execution, interval.end)
}

/** An effect that was taken back, or that a person has to look at; from its choice to its end. */
function tellUndone(
  teller: Teller,
  intent: SignedIntent,
  execution: ExecutionRow,
  end: number,
): void {
  const { compensation, agent_id, policy_kind, attempt } = intent
  const { status, reason_code, dispatched_at } = execution
  if (compensation === undefined || !(isSettled(status) || status === 'MANUAL_REVIEW')) return
  const ref = toUndoSpan(intent)
  if (!teller.claimOnce(`${ref.dfid} ${ref.ordinal}`)) return
  teller.telemetry.span({
    ref,
    parent: toFlowSpan(ref.dfid),
    start: parseInstant(dispatched_at) ?? end,
    end,
    failed: status !== 'SUCCESS',
    // Who chose so may be another flow: that of the parent agent.
    links: [toProposalSpan(compensation.dfid, String(attempt))],
    attributes: {
      'gen_ai.agent.id': agent_id,
      'gen_ai.tool.name': policy_kind,
      'rubicon.compensates': compensation.of,
      'rubicon.status': status,
      ...toFailureAttributes(reason_code),
    },
  })
}

function toCauseSpan(intent: SignedIntent): SpanRef {
  const { dfid, attempt, compensation } = intent
  return compensation === undefined ? toProposalSpan(dfid, String(attempt)) : toUndoSpan(intent)
}

function toUndoSpan({ dfid, intent_id }: Pick<SignedIntent, 'dfid' | 'intent_id'>): SpanRef {
  return { dfid, name: 'compensation', ordinal: intent_id }
}

function acceptSpan({ dfid, intent_id }: { dfid: string; intent_id: string }): SpanRef {
  return { dfid, name: 'accept', ordinal: intent_id }
}

/** By the hash: what is taken back has the parameters, and the capability, of what was done. */
function showIntentParams(
  { book }: Teller,
  { capability_hash, params }: SignedIntent,
): ShownParams {
  const found = book.capabilities().find(({ law }) => law.hash === capability_hash)
  return found === undefined ? {} : showParams(found.law.description.params, params)
}
