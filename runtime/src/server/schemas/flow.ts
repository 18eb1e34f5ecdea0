/** A flow as its row says, and as its entries do. */
import { FLOW_STATES, type FlowTag, type JsonObject } from 'rubicon-kernel'
import type { BudgetLine } from '../../engine/flow-budget.ts'
import type { FlowRow, FlowStep, FlowSummary, WritRef } from '../../ports/store.ts'
import type { EntryView } from '../entry-view.ts'
import {
  anything,
  boolean,
  buildWholeObject,
  count,
  many,
  moment,
  named,
  orNull,
  string,
  words,
} from '../routes/shape.ts'
import { executionView } from './execution.ts'
import { entryKind } from './ledger.ts'

export { FLOW_STATES }

export const FLOW_TAGS: readonly FlowTag[] = [
  'DIRTY',
  'COMPENSATED',
  'UNKNOWN',
  'NEEDS_REVIEW',
  'ERASED',
]

export const flowState: JsonObject = named('FlowState', words(...FLOW_STATES))
export const flowTag: JsonObject = named('FlowTag', words(...FLOW_TAGS))

/** How far a flow that did half of its job has been put right. */
export const sagaStanding: JsonObject = named(
  'SagaStanding',
  words('open', 'compensating', 'with_person', 'compensated', 'settled'),
)

const summary: Readonly<Record<keyof FlowSummary, JsonObject>> = {
  dfid: string,
  agent_id: string,
  trigger: string,
  parent_dfid: orNull(string),
  root_dfid: string,
  trajectory: string,
  state: flowState,
  tags: many(flowTag),
  steps: words('one', 'many'),
  rejections: count,
  attempts: count,
  opened_at: moment,
  updated_at: moment,
}

/** A flow in a list. */
export const flowSummary: JsonObject = named('FlowSummary', buildWholeObject<FlowSummary>(summary))

export const flowRow: JsonObject = named(
  'FlowRow',
  buildWholeObject<FlowRow>({
    ...summary,
    version: count,
    expires_at: moment,
    transient_rejections: count,
    snapshot_id: string,
    snapshot_at: moment,
    mission_hash: string,
    contract_hash: string,
    contract_seq: count,
    writs: many(buildWholeObject<WritRef>({ id: string, nonce: string })),
    history: many(
      buildWholeObject<FlowStep>({ from: orNull(flowState), to: flowState, at: moment }),
    ),
  }),
)

export const entryView: JsonObject = named(
  'EntryView',
  buildWholeObject<EntryView>({
    trajectory: string,
    seq: count,
    leaf: orNull(count),
    id: string,
    kind: entryKind,
    at: moment,
    payload: { ...anything, description: 'null: it was erased' },
  }),
)

const budgetLine: JsonObject = named(
  'BudgetLine',
  buildWholeObject<BudgetLine>({
    measure: string,
    granted: { ...orNull(string), description: 'null: nobody bounds it' },
    used: string,
    estimate: { ...boolean, description: 'some of it stands on the word of an agent' },
  }),
)

export const wholeFlow: JsonObject = named(
  'WholeFlow',
  buildWholeObject({
    flow: flowRow,
    entries: many(entryView),
    executions: many(executionView),
    children: many(buildWholeObject({ dfid: string, agent_id: string, state: flowState })),
    budget: many(budgetLine),
  }),
)
