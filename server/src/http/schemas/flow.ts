/** A flow as its row says, and as its entries do. */
import { type EventRef, FLOW_STATES, type FlowTag, type JsonObject } from 'rubicon-kernel'
import type { ReviewedFlow } from 'rubicon-runtime/engine/advice'
import type { BudgetLine } from 'rubicon-runtime/engine/flow'
import type { FlowReview, ReviewFlag } from 'rubicon-runtime/engine/rows'
import type { FlowRow, FlowStep, FlowSummary, RecordBodies, WritRef } from 'rubicon-runtime/ports'
import type { EntryView } from '../views/entry-view.ts'
import { executionView } from './execution.ts'
import { entryKind } from './ledger.ts'
import { type FoundFacts, foundFacts } from './search.ts'
import {
  allowNull,
  anything,
  boolean,
  buildArray,
  buildEnum,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  string,
} from './shape.ts'

export { FLOW_STATES }

export const FLOW_TAGS: readonly FlowTag[] = [
  'DIRTY',
  'COMPENSATED',
  'UNKNOWN',
  'NEEDS_REVIEW',
  'ERASED',
  'ARCHIVED',
]

export const flowState: JsonObject = nameSchema('FlowState', buildEnum(...FLOW_STATES))
export const flowTag: JsonObject = nameSchema('FlowTag', buildEnum(...FLOW_TAGS))

/** How far a flow that did half of its job has been put right. */
export const sagaStanding: JsonObject = nameSchema(
  'SagaStanding',
  buildEnum('open', 'compensating', 'with_person', 'compensated', 'settled'),
)

const summary: Readonly<Record<keyof FlowSummary, JsonObject>> = {
  dfid: string,
  agent_id: string,
  trigger: string,
  parent_dfid: allowNull(string),
  root_dfid: string,
  trajectory: string,
  state: flowState,
  tags: buildArray(flowTag),
  steps: buildEnum('one', 'many'),
  rejections: count,
  attempts: count,
  opened_at: moment,
  updated_at: moment,
}

const conversation: JsonObject = {
  ...allowNull(string),
  description: 'under which its agent, or the client of its agent, groups what it asks for',
}

/** A flow in a list. */
export type ListedFlow = FlowSummary & { readonly conversation: string | null }

/** With what its last proposal was about, as far as the search index knows. */
export type FoundFlow = ListedFlow & FoundFacts

export const flowSummary: JsonObject = nameSchema(
  'FlowSummary',
  buildWholeObject<FoundFlow>({ ...summary, conversation, ...foundFacts }),
)

/** A flow among its relatives. */
export type FlowBranch = FoundFlow & { readonly has_children: boolean }

export const flowTree: JsonObject = nameSchema(
  'FlowTree',
  buildWholeObject<{
    readonly parents: readonly FlowBranch[]
    readonly has_more_parents: boolean
    readonly flow: FlowBranch
    readonly children: readonly FlowBranch[]
    readonly next: string | null
  }>(buildTreeMembers()),
)

function buildTreeMembers() {
  const members = { ...summary, conversation, ...foundFacts, has_children: boolean }
  const branch = nameSchema('FlowBranch', buildWholeObject<FlowBranch>(members))
  return {
    parents: {
      ...buildArray(branch),
      description: 'the flow that it was opened in last, the one where it all began first',
    },
    has_more_parents: {
      ...boolean,
      description: 'there are more above than are looked at, or one of them is not there any more',
    },
    flow: branch,
    children: { ...buildArray(branch), description: 'opened in this flow, newest first' },
    next: allowNull(string),
  }
}

export const flowRow: JsonObject = nameSchema(
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
    event: allowNull(buildWholeObject<EventRef>({ event_id: string, topic: string })),
    writs: buildArray(buildWholeObject<WritRef>({ id: string, nonce: string })),
    history: buildArray(
      buildWholeObject<FlowStep>({ from: allowNull(flowState), to: flowState, at: moment }),
    ),
  }),
)

export const entryView: JsonObject = nameSchema(
  'EntryView',
  buildWholeObject<EntryView>({
    trajectory: string,
    seq: count,
    leaf: allowNull(count),
    id: string,
    kind: entryKind,
    at: moment,
    payload: {
      ...anything,
      description: 'null: it was erased, lies in an archive, or is too long to be shown here',
    },
  }),
)

const budgetLine: JsonObject = nameSchema(
  'BudgetLine',
  buildWholeObject<BudgetLine>({
    measure: string,
    granted: { ...allowNull(string), description: 'null: nobody bounds it' },
    used: string,
    estimate: { ...boolean, description: 'some of it stands on the word of an agent' },
  }),
)

const reviewFlag: JsonObject = nameSchema(
  'ReviewFlag',
  buildWholeObject<ReviewFlag>({
    at: moment,
    seq: count,
    kind: buildEnum('soft_guard', 'limit'),
    by: { ...string, description: 'the name of the soft guard, or of the limit' },
    why: { ...string, description: 'a model may have written it' },
    reviewed: { ...boolean, description: 'a person has looked at it since' },
  }),
)

const flowReview: JsonObject = nameSchema(
  'FlowReview',
  buildWholeObject<FlowReview>({
    at: moment,
    seq: count,
    by: string,
    justification: string,
    flags: { ...count, description: 'how many flags there were' },
  }),
)

/** What a review came to. */
export const reviewedFlow: JsonObject = nameSchema(
  'ReviewedFlow',
  buildWholeObject<ReviewedFlow>({
    dfid: string,
    at: moment,
    by: string,
    justification: string,
    flags: count,
    repeated: { ...boolean, description: 'it was reviewed before, and nothing was flagged since' },
  }),
)

export const wholeFlow: JsonObject = nameSchema(
  'WholeFlow',
  buildWholeObject({
    flow: flowRow,
    entries: buildArray(entryView),
    executions: buildArray(executionView),
    children: buildArray(buildWholeObject({ dfid: string, agent_id: string, state: flowState })),
    budget: buildArray(budgetLine),
    flags: buildArray(reviewFlag),
    reviews: buildArray(flowReview),
    conversation,
    withheld: {
      ...count,
      description:
        'of so many entries and effects the text is left out, as `null`, since the flow is too long; `GET /v1/ledger/entries/:leaf` has each of them',
    },
    archive: {
      ...allowNull(buildWholeObject({ file: string, archive: string, archived_at: moment })),
      description: 'where its payloads are, if an operator moved them out of the store',
    },
  }),
)

/** A flow that did half of its job. */
export const dirtyFlow: JsonObject = nameSchema(
  'DirtyFlow',
  buildWholeObject<RecordBodies['dirty_flow'] & { readonly dfid: string }>({
    dfid: string,
    agent_id: string,
    since: moment,
    cause: buildWholeObject({ dfid: string, step_id: string }),
    standing: sagaStanding,
    action: allowNull(string),
    chosen: allowNull(buildWholeObject({ dfid: string, step_id: string, intent_id: string })),
  }),
)
