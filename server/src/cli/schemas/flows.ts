/** `flows …` and `executions …`. */

import type { Resolution } from 'rubicon-runtime/engine/saga'
import { executionView, foundExecution } from '../../http/schemas/execution.ts'
import { dirtyFlow, flowSummary, reviewedFlow, wholeFlow } from '../../http/schemas/flow.ts'
import { buildPageSchema } from '../../http/schemas/shape.ts'
import { entry } from './pieces.ts'
import {
  buildClosedSchema,
  buildConstSchema,
  buildMapSchema,
  buildNullableSchema,
  buildUnionSchema,
  count,
  type Family,
  listOf,
  type OutputSchema,
  text,
} from './shape.ts'

const executions: OutputSchema = listOf(executionView)

export const FLOWS: Family = {
  'flows list': {
    prints: 'flows, newest first',
    shape: buildPageSchema('flows', flowSummary),
  },
  'flows show': {
    prints: 'a flow with its budget, entries, effects and children',
    shape: wholeFlow,
  },
  'flows open': {
    prints: 'the flow, its agent, and the branch that it stands in',
    shape: buildClosedSchema({ dfid: text, agent: text, trajectory: text }),
  },
  'flows cancel': {
    prints: 'which flow was cancelled, and why',
    shape: buildClosedSchema({ dfid: text, cancelled: buildConstSchema(true), reason: text }),
  },
  'flows review': {
    prints:
      'who reviewed which flow, and why; `repeated`: it was before, and nothing was flagged since',
    shape: reviewedFlow,
  },
  erase: {
    prints: 'what is erased: the payloads of the flow, and records by kind; `seq` once it is done',
    shape: buildClosedSchema({
      dfid: text,
      agent_id: text,
      seq: buildNullableSchema(count),
      payloads: listOf(buildClosedSchema({ trajectory: text, seq: count, leaf: count })),
      records: buildMapSchema(count),
    }),
  },
  'flows watch': { prints: 'one entry a line', shape: entry },
  'executions list': {
    prints: 'effects, uncertain ones first, and partly carried out (DIRTY) flows',
    shape: buildClosedSchema({ executions: listOf(foundExecution), dirty: listOf(dirtyFlow) }),
  },
  'executions reconcile': {
    prints: 'how many effects were checked, and the outcome of each uncertain one',
    shape: buildClosedSchema({ looked_at: count, executions }),
  },
  'executions resolve': {
    prints: 'what was settled by whom, and its status now',
    shape: buildClosedSchema({
      dfid: text,
      step_id: buildNullableSchema(text),
      outcome: buildUnionSchema<Resolution['outcome']>({
        applied: true,
        not_applied: true,
        abandon: true,
      }),
      status: text,
      by: text,
      reason: text,
    }),
  },
}
