/** A request for somebody, in a list and whole, and what became of a decision. */
import type {
  AgentPast,
  ApprovalFact,
  Counted,
  EscalationQueue,
  EscalationRequest,
  Exposure,
  Impact,
  JsonObject,
  JudgedModification,
  Trigger,
} from 'rubicon-kernel'
import type {
  DecidedEscalation,
  EscalationSummary,
  EscalationView,
  OverLimit,
  Stakes,
} from 'rubicon-runtime/engine/approve'
import { type Ended, ESCALATION_STATES } from 'rubicon-runtime/engine/rows'
import type { RequestComment } from 'rubicon-runtime/ports'
import { answer } from './answer.ts'
import { stateFact, worldFact } from './fact.ts'
import {
  allowNull,
  anything,
  boolean,
  buildArray,
  buildEnum,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  open,
  string,
} from './shape.ts'

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

export const impact: JsonObject = nameSchema('Impact', buildEnum(...IMPACTS))
export const escalationState: JsonObject = nameSchema(
  'EscalationState',
  buildEnum(...ESCALATION_STATES),
)
const queue = buildEnum(...QUEUES)
const ended = buildEnum(...ENDS)

export const exposure: JsonObject = allowNull(
  nameSchema('Exposure', buildWholeObject({ measure: string, value: anything, threshold: string })),
)

/** What is at stake, as a row has room for it. */
export const stakes: JsonObject = nameSchema(
  'Stakes',
  buildWholeObject<Stakes>({
    reversible: boolean,
    impact_reasons: buildArray(string),
    over: allowNull(
      nameSchema(
        'OverLimit',
        buildWholeObject<OverLimit>({
          limit: string,
          checked: string,
          value: string,
          min: allowNull(string),
          max: allowNull(string),
        }),
      ),
    ),
  }),
)

/** A row of the list of requests: beside what the engine says of it, what it is about and what is at stake. */
export type ListedEscalation = EscalationSummary & {
  readonly what: string
  readonly action: string | null
  readonly exposure: Exposure | null
  readonly stakes: Stakes | null
}

export const escalationSummary: JsonObject = nameSchema(
  'EscalationSummary',
  buildWholeObject<ListedEscalation>({
    id: string,
    kind: buildEnum('proposal', 'silence', 'failure', 'asked', 'outcome'),
    what: { ...string, description: 'the action and its first parameters; without one the kind' },
    action: { ...allowNull(string), description: 'the kind of action; null: there is no proposal' },
    exposure,
    stakes: allowNull(stakes),
    state: escalationState,
    ended: allowNull(ended),
    dfid: string,
    agent_id: string,
    reason_code: string,
    channel: string,
    channels: buildArray(string),
    queue: allowNull(queue),
    impact: allowNull(impact),
    requested_at: moment,
    expires_at: allowNull(moment),
    needs: count,
    approvals: count,
  }),
)

const trigger = buildWholeObject<Trigger>(
  { id: string, code: string, domain_code: string, channel: string, details: open },
  ['domain_code'],
)

const past = buildWholeObject<AgentPast>({
  successes: count,
  of_kind: count,
  largest: allowNull(string),
})

const request: JsonObject = nameSchema(
  'EscalationRequest',
  buildWholeObject<EscalationRequest>(
    {
      id: string,
      kind: buildEnum('proposal', 'silence', 'failure', 'asked'),
      dfid: string,
      agent_id: string,
      step_id: allowNull(string),
      attempt: count,
      intent_digest: string,
      proposal_hash: allowNull(string),
      rules_hash: string,
      triggers: buildArray(trigger),
      reason_code: string,
      domain_code: string,
      impact,
      impact_reasons: buildArray(string),
      exposure,
      past: allowNull(past),
      reversible: boolean,
      acknowledge: string,
      facts_digest: allowNull(string),
      shown_snapshot: string,
      queue,
      needs: count,
      approvers: buildArray(string),
      persons: buildWholeObject(
        { owner: string, approvers: buildArray(string), deployer: string },
        ['deployer'],
      ),
      self_approval: buildEnum('allowed'),
      requested_at: moment,
      not_before: moment,
      expires_at: moment,
      channel: string,
    },
    ['domain_code', 'acknowledge', 'self_approval'],
  ),
)

const counted = buildWholeObject<Counted>(
  {
    approver: string,
    person: string,
    decision: buildEnum('OVERRIDE', 'MODIFY', 'ABORT'),
    lifts: buildArray(string),
    valid_until: moment,
    modified: open,
    impact,
  },
  ['modified', 'person'],
)

const approval = buildWholeObject<ApprovalFact>({
  request_id: string,
  decision: buildEnum('OVERRIDE', 'MODIFY'),
  approver: string,
  decisions: count,
  binds: string,
  rules_hash: string,
  lifts: buildArray(string),
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
    impact_reasons: buildArray(string),
    exposure,
    acknowledge: string,
    not_before: moment,
  },
  ['acknowledge'],
)

export const escalationView: JsonObject = nameSchema(
  'EscalationView',
  buildWholeObject<EscalationView>(
    {
      request,
      trajectory: string,
      received: string,
      proposal: anything,
      key_id: allowNull(string),
      counted: buildArray(counted),
      judged: buildArray(judged),
      alone: boolean,
      parent: allowNull(buildWholeObject({ dfid: allowNull(string), until: moment })),
      approval: allowNull(approval),
      decided: buildWholeObject({ decision: buildEnum('OVERRIDE', 'MODIFY', 'ABORT'), by: string }),
      ended: allowNull(buildWholeObject({ as: ended, at: moment })),
      state: escalationState,
      shown: buildWholeObject({ state: buildArray(stateFact), world: buildArray(worldFact) }),
      comments: buildArray(
        nameSchema(
          'RequestComment',
          buildWholeObject<RequestComment>({
            at: string,
            by: string,
            person: string,
            text: string,
          }),
        ),
      ),
    },
    ['alone', 'decided'],
  ),
)

export const decided: JsonObject = nameSchema(
  'Decided',
  buildWholeObject<DecidedEscalation>(
    {
      request_id: string,
      dfid: string,
      outcome: buildEnum('aborted', 'sent_back', 'waiting', 'approved', 'released'),
      missing: count,
      answer,
    },
    ['answer'],
  ),
)
