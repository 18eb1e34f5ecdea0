/**
 * What would happen if somebody said yes now. Everything is gathered and compiled as at a release
 * (`../release.ts`), and nothing is written or sent.
 */
import {
  type ApprovalFact,
  type CapabilityLaw,
  type Contract,
  checkDispatch,
  compile,
  type Facts,
  formatInstant,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  NO_PAST,
  type PolicyProposal,
  parseInstant,
  type ReasonCode,
  type Trace,
  type Verdict,
} from 'rubicon-kernel'
import { StateUnavailable } from '../../context/read-outside.ts'
import type { Context } from '../../engine-context.ts'
import { gather } from '../../judge/gather.ts'
import type { Gathered } from '../../judge/gathered.ts'
import { loadDecision } from '../../judge/load-decision.ts'
import { receiveProposal } from '../../judge/receive.ts'
import { type Escalation, toAskingSession } from '../../rows/stored-escalation.ts'

export type Outlook =
  /** It passes every stage on the facts of this moment. */
  | { readonly kind: 'runs' }
  /** `refused`: nothing an approval could change. `asks_again`: there is more to approve by now. */
  | {
      readonly kind: 'refused' | 'asks_again'
      readonly code: ReasonCode
      readonly details: JsonObject
    }

export type AsIfApproved = {
  readonly outlook: Outlook
  /** What the kernel computed, by name; empty: it did not come so far. */
  readonly measures: Readonly<Record<string, JsonValue>>
  /** What it would cost; null: it would not run. */
  readonly cost: Readonly<Record<string, string>> | null
  /** As they are now; null: they could not be read. */
  readonly facts: Facts | null
  readonly proposal: PolicyProposal
  readonly law: CapabilityLaw
  readonly contract: Contract | null
}

/** What somebody would have said. */
export type Supposed = Pick<ApprovalFact, 'decision' | 'approver' | 'binds' | 'lifts' | 'impact'>

/** A yes to everything that the request asks, as it stands. */
export function buildSupposedYes(
  { intent_digest, triggers, impact }: Escalation['request'],
  approver: string,
): Supposed {
  const lifts = triggers.map(({ id }) => id)
  return { decision: 'OVERRIDE', approver, binds: intent_digest, lifts, impact }
}

/** Null: nothing would run, or nobody here knows how. */
export async function compileAsApproved(
  context: Context,
  escalation: Pick<Escalation, 'request' | 'proposal' | 'key_id'>,
  supposed: Supposed,
): Promise<AsIfApproved | null> {
  const { request, proposal: document } = escalation
  if (!isObject(document)) return null
  const received = receiveProposal(document, context.sha256)
  if (!received.ok) return null
  const { proposal } = received.value
  const law = context.book.rules.capability(proposal.policy_kind)
  const loaded = await loadDecision(context, request.dfid, proposal)
  if (law === undefined || loaded === null) return null
  const { view, chain } = loaded
  const approval = buildApprovalFact(request, supposed, view.now)
  const release = { approval, unit: { guards: [], writes: [] } }
  try {
    const said = { ...received.value, session: toAskingSession(escalation), release }
    const gathered = await gather(context, view, said, chain)
    const { facts, contract } = gathered.input
    const verdict = compile(gathered.input)
    const cost = verdict.kind === 'staged' ? verdict.intent.cost : null
    const outlook = toOutlook(gathered, verdict)
    const measures = getMeasures(verdict.trace)
    return { outlook, measures, cost, facts: facts.value, proposal, law, contract }
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error
    const { details } = error
    const outlook = { kind: 'refused', code: 'STATE_UNAVAILABLE', details } as const
    const none = { cost: null, facts: null, contract: null }
    return { outlook, measures: {}, ...none, proposal, law }
  }
}

/** By enough people. */
function buildApprovalFact(
  { id, rules_hash, needs, past }: Escalation['request'],
  supposed: Supposed,
  now: string,
): ApprovalFact {
  return {
    ...supposed,
    request_id: id,
    decisions: needs,
    rules_hash,
    past: past ?? NO_PAST,
    valid_until: formatInstant((parseInstant(now) ?? 0) + LIMITS.dispatchWithinMs),
    decided_at: now,
  }
}

function getMeasures(trace: Trace): AsIfApproved['measures'] {
  return trace.find(({ stage }) => stage === 'preconditions')?.measures ?? {}
}

function toOutlook({ input, law }: Gathered, verdict: Verdict): Outlook {
  if (verdict.kind === 'repeated') return { kind: 'refused', code: 'STEP_IN_FLIGHT', details: {} }
  if (verdict.kind === 'suspended') {
    const { code, triggers } = verdict
    return { kind: 'asks_again', code, details: { triggers: triggers.map(({ id }) => id) } }
  }
  if (verdict.kind === 'rejected') {
    const { code, details } = verdict
    return { kind: 'refused', code, details }
  }
  const { contract, facts, proposal } = input
  if (contract === null || law === undefined) return { kind: 'runs' }
  const measures = getMeasures(verdict.trace)
  const refusal = checkDispatch({ facts: facts.value, proposal, contract, law, measures })
  return refusal === null ? { kind: 'runs' } : { kind: 'refused', ...refusal }
}
