/** What an agent hears of a proposal. */
import { type Answer, COMPILE_STAGES, type Feedback, type JsonObject } from 'rubicon-kernel'
import {
  anything,
  boolean,
  buildWholeObject,
  count,
  named,
  open,
  string,
  words,
} from '../routes/shape.ts'
import { EXECUTION_STATUSES } from './execution.ts'
import { workingContext } from './working-context.ts'

export const STAGES: readonly string[] = [...COMPILE_STAGES.map(({ name }) => name), 'emission']

const feedback: JsonObject = named(
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

export const answer: JsonObject = named(
  'ProposalAnswer',
  buildWholeObject<Answer>(
    {
      dfid: string,
      attempt: count,
      outcome: words('ACCEPTED', 'REJECTED', 'ESCALATED', 'EXHAUSTED', 'REPEATED'),
      disposition: words('soft_stop', 'hard_stop', 'delegation', 'alert'),
      reason_code: string,
      gate: count,
      stage: words(...STAGES, 'parser', 'queue', 'dispatch'),
      feedback,
      context: workingContext,
      trace_id: string,
      execution: buildWholeObject(
        {
          status: words(...EXECUTION_STATUSES, 'PENDING'),
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
