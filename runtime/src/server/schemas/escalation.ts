/** A request for somebody, in a list and whole, and what became of a decision. */
import type {
  AgentPast,
  ApprovalFact,
  Counted,
  EscalationQueue,
  EscalationRequest,
  Impact,
  JsonObject,
  JudgedModification,
  Trigger,
} from 'rubicon-kernel'
import type { Decided } from '../../engine/escalate/decide.ts'
import type { EscalationSummary, EscalationView } from '../../engine/escalate/list.ts'
import { type Ended, ESCALATION_STATES } from '../../engine/escalate/stored.ts'
import {
  anything,
  boolean,
  buildWholeObject,
  count,
  many,
  moment,
  named,
  open,
  orNull,
  string,
  words,
} from '../routes/shape.ts'
import { answer } from './answer.ts'
import { stateFact, worldFact } from './fact.ts'

export const IMPACTS: readonly Impact[] = ['LOW_IMPACT', 'HIGH_IMPACT']
export const QUEUES: readonly EscalationQueue[] = ['approval', 'exception']
export const ENDS: readonly Ended[] = [
  'released',
  'sent_back',
  'aborted',
  'expired',
  'moot',
  'superseded',
]

export const impact: JsonObject = named('Impact', words(...IMPACTS))
export const escalationState: JsonObject = named('EscalationState', words(...ESCALATION_STATES))
const queue = words(...QUEUES)
const ended = words(...ENDS)

export const escalationSummary: JsonObject = named(
  'EscalationSummary',
  buildWholeObject<EscalationSummary>({
    id: string,
    kind: words('proposal', 'silence', 'failure', 'asked', 'outcome'),
    state: escalationState,
    ended: orNull(ended),
    dfid: string,
    agent_id: string,
    reason_code: string,
    channel: string,
    channels: many(string),
    queue: orNull(queue),
    impact: orNull(impact),
    requested_at: moment,
    expires_at: orNull(moment),
    needs: count,
    approvals: count,
  }),
)

const trigger = buildWholeObject<Trigger>(
  { id: string, code: string, domain_code: string, channel: string, details: open },
  ['domain_code'],
)

export const exposure: JsonObject = orNull(
  named('Exposure', buildWholeObject({ measure: string, value: anything, threshold: string })),
)
const past = buildWholeObject<AgentPast>({
  successes: count,
  of_kind: count,
  largest: orNull(string),
})

const request: JsonObject = named(
  'EscalationRequest',
  buildWholeObject<EscalationRequest>(
    {
      id: string,
      kind: words('proposal', 'silence', 'failure', 'asked'),
      dfid: string,
      agent_id: string,
      step_id: orNull(string),
      attempt: count,
      intent_digest: string,
      proposal_hash: orNull(string),
      rules_hash: string,
      triggers: many(trigger),
      reason_code: string,
      domain_code: string,
      impact,
      impact_reasons: many(string),
      exposure,
      past: orNull(past),
      reversible: boolean,
      acknowledge: string,
      facts_digest: orNull(string),
      shown_snapshot: string,
      queue,
      needs: count,
      approvers: many(string),
      persons: buildWholeObject({ owner: string, approvers: many(string), deployer: string }, [
        'deployer',
      ]),
      requested_at: moment,
      not_before: moment,
      expires_at: moment,
      channel: string,
    },
    ['domain_code', 'acknowledge'],
  ),
)

const counted = buildWholeObject<Counted>(
  {
    approver: string,
    person: string,
    decision: words('OVERRIDE', 'MODIFY', 'ABORT'),
    lifts: many(string),
    valid_until: moment,
    modified: open,
    impact,
  },
  ['modified', 'person'],
)

const approval = buildWholeObject<ApprovalFact>({
  request_id: string,
  decision: words('OVERRIDE', 'MODIFY'),
  approver: string,
  decisions: count,
  binds: string,
  rules_hash: string,
  lifts: many(string),
  impact,
  past,
  valid_until: moment,
  decided_at: moment,
})

const judged = buildWholeObject<JudgedModification>(
  {
    request_id: string,
    judged_for: string,
    proposal_hash: string,
    impact,
    impact_reasons: many(string),
    exposure,
    acknowledge: string,
    not_before: moment,
  },
  ['acknowledge'],
)

export const escalationView: JsonObject = named(
  'EscalationView',
  buildWholeObject<EscalationView>(
    {
      request,
      trajectory: string,
      received: string,
      proposal: anything,
      key_id: orNull(string),
      counted: many(counted),
      judged: many(judged),
      alone: boolean,
      parent: orNull(buildWholeObject({ dfid: orNull(string), until: moment })),
      approval: orNull(approval),
      decided: buildWholeObject({ decision: words('OVERRIDE', 'MODIFY', 'ABORT'), by: string }),
      ended: orNull(buildWholeObject({ as: ended, at: moment })),
      state: escalationState,
      shown: buildWholeObject({ state: many(stateFact), world: many(worldFact) }),
    },
    ['alone', 'decided'],
  ),
)

export const decided: JsonObject = named(
  'Decided',
  buildWholeObject<Decided>(
    {
      request_id: string,
      dfid: string,
      outcome: words('aborted', 'sent_back', 'waiting', 'approved', 'released'),
      missing: count,
      answer,
    },
    ['answer'],
  ),
)
