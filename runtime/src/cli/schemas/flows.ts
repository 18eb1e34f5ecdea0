/** `flows …` and `executions …`. */

import type { BudgetLine } from '../../engine/flow-budget.ts'
import type { Resolution } from '../../engine/saga/resolution.ts'
import type { RecordBodies } from '../../ports/record.ts'
import { executionView } from '../../server/schemas/execution.ts'
import { flowRow, flowState, sagaStanding } from '../../server/schemas/flow.ts'
import { entry } from './pieces.ts'
import {
  always,
  closed,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  mapOf,
  orNull,
  type Schema,
  text,
  wordsOf,
} from './shape.ts'

const dirty: Schema = closed({
  dfid: text,
  agent_id: text,
  since: instant,
  cause: closed({ dfid: text, step_id: text }),
  standing: sagaStanding,
  action: orNull(text),
  chosen: orNull(closed({ dfid: text, step_id: text, intent_id: text })),
} satisfies Members<RecordBodies['dirty_flow'] & { readonly dfid: string }>)

const executions: Schema = listOf(executionView)

export const FLOWS: Family = {
  'flows list': { prints: 'flows, newest first', shape: closed({ flows: listOf(flowRow) }) },
  'flows show': {
    prints: 'a flow with its budget, entries, effects and children',
    shape: closed({
      flow: flowRow,
      budget: listOf(
        closed({
          measure: text,
          granted: orNull(text),
          used: text,
          estimate: flag,
        } satisfies Members<BudgetLine>),
      ),
      entries: listOf(entry),
      executions,
      children: listOf(closed({ dfid: text, agent_id: text, state: flowState })),
    }),
  },
  'flows cancel': {
    prints: 'which flow was cancelled, and why',
    shape: closed({ dfid: text, cancelled: always(true), reason: text }),
  },
  erase: {
    prints: 'what goes: the payloads of the flow, and records by kind; `seq` once it is done',
    shape: closed({
      dfid: text,
      agent_id: text,
      seq: orNull(count),
      payloads: listOf(closed({ trajectory: text, seq: count, leaf: count })),
      records: mapOf(count),
    }),
  },
  'flows watch': { prints: 'one entry a line', shape: entry },
  'executions list': {
    prints: 'effects, uncertain ones first, and dirty flows',
    shape: closed({ executions, dirty: listOf(dirty) }),
  },
  'executions reconcile': {
    prints: 'how many were looked at, and what became of each uncertain effect',
    shape: closed({ looked_at: count, executions }),
  },
  'executions resolve': {
    prints: 'what was settled on whose word, and how it then stands',
    shape: closed({
      dfid: text,
      step_id: orNull(text),
      outcome: wordsOf<Resolution['outcome']>({ applied: true, not_applied: true, abandon: true }),
      status: text,
      by: text,
      reason: text,
    }),
  },
}
