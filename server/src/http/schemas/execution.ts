/** An effect on the outside, and what became of it. */
import { EXECUTION_STATUSES, type JsonObject } from 'rubicon-kernel'
import type { ExecutionView } from '../views/execution-view.ts'
import { type FoundFacts, foundFacts } from './search.ts'
import {
  allowNull,
  anything,
  buildEnum,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  open,
  string,
} from './shape.ts'

export { EXECUTION_STATUSES }

export const executionStatus: JsonObject = nameSchema(
  'ExecutionStatus',
  buildEnum(...EXECUTION_STATUSES),
)

const members: Readonly<Record<keyof ExecutionView, JsonObject>> = {
  dfid: string,
  step_id: string,
  version: count,
  trajectory: string,
  status: executionStatus,
  policy_kind: string,
  params_fingerprint: string,
  idempotency_key: string,
  agent_id: string,
  params: open,
  dispatched: {
    ...buildWholeObject({ trajectory: string, seq: count }),
    description: 'the entry with the signed intent',
  },
  dispatched_at: moment,
  last_sent_at: moment,
  sends: count,
  probes: count,
  epoch: count,
  next_at: allowNull(moment),
  reason_code: allowNull(string),
  details: allowNull(open),
  result: anything,
  receipt: anything,
  settled_at: allowNull(moment),
}

export const executionView: JsonObject = nameSchema(
  'ExecutionView',
  buildWholeObject<ExecutionView>(members),
)

/** An effect in a list, with what it is about, as far as the search index knows. */
export type FoundExecution = ExecutionView & Pick<FoundFacts, 'object' | 'amount' | 'measure'>

export const foundExecution: JsonObject = nameSchema(
  'FoundExecution',
  buildWholeObject<FoundExecution>({
    ...members,
    object: { ...allowNull(string), description: 'what it is about; null: not known' },
    amount: foundFacts.amount,
    measure: foundFacts.measure,
  }),
)
