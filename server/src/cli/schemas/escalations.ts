/** `escalations …`. */
import type { DecisionWord } from 'rubicon-kernel'
import { escalationSummary, escalationView } from '../../http/schemas/escalation.ts'
import { saidComment } from '../../http/schemas/escalation-brief.ts'
import { buildPageSchema } from '../../http/schemas/shape.ts'
import { buildClosedSchema, buildUnionSchema, count, type Family, text } from './shape.ts'

export const ESCALATIONS: Family = {
  'escalations list': {
    prints: 'requests that wait for a decision',
    shape: buildPageSchema('escalations', escalationSummary),
  },
  'escalations show': {
    prints: 'a request with what would run and what the agent saw',
    shape: escalationView,
  },
  'escalations comment': {
    prints: 'the comment as it is kept',
    shape: saidComment,
  },
  'escalations resolve': {
    prints: 'what was decided by whom, and what became of it',
    shape: buildClosedSchema({
      request_id: text,
      dfid: text,
      decision: buildUnionSchema<DecisionWord>({ OVERRIDE: true, MODIFY: true, ABORT: true }),
      by: text,
      outcome: buildUnionSchema({
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
