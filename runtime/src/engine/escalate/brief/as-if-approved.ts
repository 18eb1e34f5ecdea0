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
  LIMITS,
  type PolicyProposal,
  parseInstant,
  type ReasonCode,
  type Verdict,
} from 'rubicon-kernel'
import type { Context } from '../../context.ts'
import { type Gathered, gather } from '../../gather.ts'
import { loadDecision } from '../../load-decision.ts'
import { StateUnavailable } from '../../read-outside.ts'
import { receiveProposal } from '../../receive.ts'
import type { Escalation } from '../stored.ts'

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
  /** What it would cost; null: it would not run. */
  readonly cost: Readonly<Record<string, string>> | null
  /** As they are now; null: they could not be read. */
  readonly facts: Facts | null
  readonly proposal: PolicyProposal
  readonly law: CapabilityLaw
  readonly contract: Contract | null
}

/** Null: nothing would run, or nobody here knows how. */
export async function asIfApproved(
  context: Context,
  { request, proposal: document }: Escalation,
  approver: string,
): Promise<AsIfApproved | null> {
  if (!isObject(document)) return null
  const received = receiveProposal(document, context.sha256)
  if (!received.ok) return null
  const { proposal } = received.value
  const law = context.book.rules.capability(proposal.policy_kind)
  const loaded = await loadDecision(context, request.dfid, proposal)
  if (law === undefined || loaded === null) return null
  const { view, chain } = loaded
  const approval = approvalFact(request, approver, view.now)
  const release = { approval, unit: { guards: [], writes: [] } }
  try {
    const gathered = await gather(context, view, { ...received.value, release }, chain)
    const { facts, contract } = gathered.input
    const verdict = compile(gathered.input)
    const cost = verdict.kind === 'staged' ? verdict.intent.cost : null
    const outlook = outlookOf(gathered, verdict)
    return { outlook, cost, facts: facts.value, proposal, law, contract }
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error
    const details = { paths: [...error.paths] }
    const outlook = { kind: 'refused', code: 'STATE_UNAVAILABLE', details } as const
    return { outlook, cost: null, facts: null, proposal, law, contract: null }
  }
}

/** An approval of everything that the request asks, by enough people. */
function approvalFact(
  { id, intent_digest, rules_hash, triggers, needs }: Escalation['request'],
  approver: string,
  now: string,
): ApprovalFact {
  return {
    request_id: id,
    decision: 'OVERRIDE',
    approver,
    decisions: needs,
    binds: intent_digest,
    rules_hash,
    lifts: triggers.map((trigger) => trigger.id),
    valid_until: formatInstant((parseInstant(now) ?? 0) + LIMITS.dispatchWithinMs),
    decided_at: now,
  }
}

function outlookOf({ input, law }: Gathered, verdict: Verdict): Outlook {
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
  const { measures = {} } = verdict.trace.find(({ stage }) => stage === 'preconditions') ?? {}
  const refusal = checkDispatch({ facts: facts.value, proposal, contract, law, measures })
  return refusal === null ? { kind: 'runs' } : { kind: 'refused', ...refusal }
}
