/** What an agent hears of a proposal. */
import { type Answer, type Feedback, type JsonObject, STAGES } from 'rubicon-kernel'
import { EXECUTION_STATUSES } from './execution.ts'
import {
  anything,
  boolean,
  buildEnum,
  buildWholeObject,
  count,
  nameSchema,
  open,
  string,
} from './shape.ts'
import { workingContext } from './working-context.ts'

/** Also where nothing was compiled: what is no JSON, what waited too long, what had moved before it was sent. */
export const answerStage: JsonObject = buildEnum(...STAGES, 'parser', 'queue', 'dispatch')

const feedback: JsonObject = nameSchema(
  'Feedback',
  buildWholeObject<Feedback>(
    {
      summary: string,
      why: string,
      fix: string,
      details: open,
      transient: boolean,
      retry_after_ms: count,
    },
    ['retry_after_ms'],
  ),
)

export const answer: JsonObject = nameSchema(
  'ProposalAnswer',
  buildWholeObject<Answer>(
    {
      dfid: string,
      attempt: count,
      outcome: buildEnum('ACCEPTED', 'REJECTED', 'ESCALATED', 'EXHAUSTED', 'REPEATED'),
      disposition: buildEnum('soft_stop', 'hard_stop', 'delegation', 'alert'),
      reason_code: string,
      gate: count,
      stage: answerStage,
      feedback,
      context: workingContext,
      trace_id: string,
      execution: buildWholeObject(
        {
          status: buildEnum(...EXECUTION_STATUSES, 'PENDING'),
          reason_code: string,
          details: open,
          result: anything,
          receipt: anything,
        },
        ['reason_code', 'details', 'result', 'receipt'],
      ),
    },
    ['disposition', 'reason_code', 'gate', 'stage', 'feedback', 'context', 'execution'],
  ),
)
