/** `flows …` and `executions …`. */

import type { BudgetLine } from 'rubicon-runtime/engine/flow'
import type { Resolution } from 'rubicon-runtime/engine/saga'
import type { RecordBodies } from 'rubicon-runtime/ports'
import { executionView } from '../../http/schemas/execution.ts'
import { flowRow, flowState, sagaStanding } from '../../http/schemas/flow.ts'
import { entry } from './pieces.ts'
import {
  buildClosedSchema,
  buildConstSchema,
  buildMapSchema,
  buildNullableSchema,
  buildUnionSchema,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  type OutputSchema,
  text,
} from './shape.ts'

const dirty: OutputSchema = buildClosedSchema({
  dfid: text,
  agent_id: text,
  since: instant,
  cause: buildClosedSchema({ dfid: text, step_id: text }),
  standing: sagaStanding,
  action: buildNullableSchema(text),
  chosen: buildNullableSchema(buildClosedSchema({ dfid: text, step_id: text, intent_id: text })),
} satisfies Members<RecordBodies['dirty_flow'] & { readonly dfid: string }>)

const executions: OutputSchema = listOf(executionView)

export const FLOWS: Family = {
  'flows list': {
    prints: 'flows, newest first',
    shape: buildClosedSchema({ flows: listOf(flowRow) }),
  },
  'flows show': {
    prints: 'a flow with its budget, entries, effects and children',
    shape: buildClosedSchema({
      flow: flowRow,
      budget: listOf(
        buildClosedSchema({
          measure: text,
          granted: buildNullableSchema(text),
          used: text,
          estimate: flag,
        } satisfies Members<BudgetLine>),
      ),
      entries: listOf(entry),
      executions,
      children: listOf(buildClosedSchema({ dfid: text, agent_id: text, state: flowState })),
    }),
  },
  'flows cancel': {
    prints: 'which flow was cancelled, and why',
    shape: buildClosedSchema({ dfid: text, cancelled: buildConstSchema(true), reason: text }),
  },
  erase: {
    prints: 'what goes: the payloads of the flow, and records by kind; `seq` once it is done',
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
    prints: 'effects, uncertain ones first, and dirty flows',
    shape: buildClosedSchema({ executions, dirty: listOf(dirty) }),
  },
  'executions reconcile': {
    prints: 'how many were looked at, and what became of each uncertain effect',
    shape: buildClosedSchema({ looked_at: count, executions }),
  },
  'executions resolve': {
    prints: 'what was settled on whose word, and how it then stands',
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
