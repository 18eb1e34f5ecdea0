/** `escalations …`. */
import type { DecisionWord, EscalationRequest, Impact } from 'rubicon-kernel'
import type { EscalationSummary, EscalationView } from '../../engine/escalate/list.ts'
import type { EscalationState } from '../../engine/escalate/stored.ts'
import {
  anything,
  closed,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  optional,
  orNull,
  type Schema,
  text,
  wordsOf,
} from './shape.ts'

const state: Schema = wordsOf<EscalationState>({ open: true, approved: true, closed: true })
const impact: Schema = wordsOf<Impact>({ LOW_IMPACT: true, HIGH_IMPACT: true })
const queue: Schema = wordsOf<EscalationRequest['queue']>({ approval: true, exception: true })
const ended: Schema = wordsOf<NonNullable<EscalationSummary['ended']>>({
  released: true,
  sent_back: true,
  aborted: true,
  expired: true,
  moot: true,
})
const KINDS = { proposal: true, silence: true, failure: true, asked: true } as const

const summary: Schema = closed({
  id: text,
  kind: wordsOf<EscalationSummary['kind']>({ ...KINDS, outcome: true }),
  state,
  ended: orNull(ended),
  dfid: text,
  agent_id: text,
  reason_code: text,
  channel: text,
  queue: orNull(queue),
  impact: orNull(impact),
  requested_at: instant,
  expires_at: orNull(instant),
  needs: count,
  approvals: count,
} satisfies Members<EscalationSummary>)

const request: Schema = closed({
  id: text,
  kind: wordsOf<EscalationRequest['kind']>(KINDS),
  dfid: text,
  agent_id: text,
  step_id: orNull(text),
  attempt: count,
  intent_digest: text,
  proposal_hash: orNull(text),
  rules_hash: text,
  triggers: listOf(anything),
  reason_code: text,
  domain_code: optional(text),
  impact,
  impact_reasons: listOf(text),
  exposure: orNull(closed({ measure: text, value: anything, threshold: text })),
  reversible: flag,
  facts_digest: orNull(text),
  shown_snapshot: text,
  queue,
  needs: count,
  approvers: listOf(text),
  requested_at: instant,
  not_before: instant,
  expires_at: instant,
  channel: text,
} satisfies Members<EscalationRequest>)

const view: Schema = closed({
  request,
  trajectory: text,
  received: text,
  proposal: anything,
  counted: listOf(anything),
  parent: orNull(closed({ dfid: orNull(text), until: instant })),
  approval: orNull(anything),
  ended: orNull(closed({ as: ended, at: instant })),
  state,
  shown: closed({ state: listOf(anything), world: listOf(anything) }),
} satisfies Members<EscalationView>)

export const ESCALATIONS: Family = {
  'escalations list': {
    prints: 'what waits for somebody to decide',
    shape: closed({ escalations: listOf(summary) }),
  },
  'escalations show': {
    prints: 'a request with what would run and what the agent saw',
    shape: view,
  },
  'escalations resolve': {
    prints: 'what was decided by whom, and what became of it',
    shape: closed({
      request_id: text,
      dfid: text,
      decision: wordsOf<DecisionWord>({ OVERRIDE: true, MODIFY: true, ABORT: true }),
      by: text,
      outcome: wordsOf({
        aborted: true,
        sent_back: true,
        waiting: true,
        approved: true,
        released: true,
      }),
      missing: count,
    }),
  },
}
