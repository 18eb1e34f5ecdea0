/** `flows …` and `executions …`. */
import type { FlowState, FlowTag, SagaStanding } from 'rubicon-kernel'
import type { Resolution } from '../../engine/saga/resolve.ts'
import type { RecordBodies } from '../../ports/record.ts'
import type { FlowRow, FlowStep, WritRef } from '../../ports/store.ts'
import type { BudgetLine } from '../flow-budget.ts'
import { entry, executions } from './pieces.ts'
import {
  always,
  closed,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  orNull,
  type Schema,
  text,
  wordsOf,
} from './shape.ts'

export const flowState: Schema = wordsOf<FlowState>({
  CREATED: true,
  ACTIVE: true,
  VALIDATING: true,
  ACCEPTED: true,
  EXECUTING: true,
  ESCALATED: true,
  CLOSED: true,
  ABORTED: true,
})

const tag: Schema = wordsOf<FlowTag>({
  DIRTY: true,
  COMPENSATED: true,
  UNKNOWN: true,
  NEEDS_REVIEW: true,
})

const step: Schema = closed({
  from: orNull(flowState),
  to: flowState,
  at: instant,
} satisfies Members<FlowStep>)

const flow: Schema = closed({
  dfid: text,
  version: count,
  agent_id: text,
  trigger: text,
  parent_dfid: orNull(text),
  root_dfid: text,
  trajectory: text,
  state: flowState,
  tags: listOf(tag),
  steps: wordsOf<FlowRow['steps']>({ one: true, many: true }),
  rejections: count,
  transient_rejections: count,
  attempts: count,
  snapshot_id: text,
  snapshot_at: instant,
  mission_hash: text,
  contract_hash: text,
  contract_seq: count,
  writs: listOf(closed({ id: text, nonce: text } satisfies Members<WritRef>)),
  opened_at: instant,
  updated_at: instant,
  history: listOf(step),
} satisfies Members<FlowRow>)

const dirty: Schema = closed({
  dfid: text,
  agent_id: text,
  since: instant,
  cause: closed({ dfid: text, step_id: text }),
  standing: wordsOf<SagaStanding>({
    open: true,
    compensating: true,
    with_person: true,
    compensated: true,
    settled: true,
  }),
  action: orNull(text),
  chosen: orNull(closed({ dfid: text, step_id: text, intent_id: text })),
} satisfies Members<RecordBodies['dirty_flow'] & { readonly dfid: string }>)

export const FLOWS: Family = {
  'flows list': { prints: 'flows, newest first', shape: closed({ flows: listOf(flow) }) },
  'flows show': {
    prints: 'a flow with its budget, entries, effects and children',
    shape: closed({
      flow,
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
