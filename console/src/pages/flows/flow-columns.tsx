/** What a list of flows says of each: what was asked for, what came of it, and when. */
import type { ReactNode } from 'react'
import type { FlowSummary } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { describeFlowOutcome } from '../../parts/flow-outcome.ts'
import { shortenUuids } from '../../parts/hash-pieces.ts'
import { HashText } from '../../parts/hash-text.tsx'
import { Measured } from '../../parts/measured.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import type { Column } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'

const FLOW: Column<FlowSummary> = {
  head: 'flow',
  cell: ({ trigger }) => <HashText text={shortenUuids(trigger)} />,
  cut: { share: 29, text: ({ trigger }) => toVisibleText(trigger) },
}
const ACTION: Column<FlowSummary> = {
  head: 'action',
  cell: (flow) => <Action flow={flow} />,
  sort: 'kind',
  wide: true,
  hand: 'bare',
  cut: { share: 21, text: ({ kind, object }) => toVisibleText(`${kind ?? ''} ${object ?? ''}`) },
}
const AMOUNT: Column<FlowSummary> = {
  head: 'amount',
  cell: (flow) => <Moved flow={flow} />,
  sort: '-amount',
  number: true,
  hand: 'bare',
}
const STATE: Column<FlowSummary> = {
  head: 'state',
  cell: (flow) => (
    <span className="flows-state">
      <Status {...describeFlowOutcome(flow)} />
    </span>
  ),
  sort: 'state',
  hand: 'corner',
}
const REASON: Column<FlowSummary> = {
  head: 'reason',
  cell: ({ reason }) => (reason === null ? '' : <ReasonLink code={reason} />),
  sort: 'reason',
  wide: true,
  hand: 'bare',
  cut: { share: 16, text: ({ reason }) => reason ?? '' },
}
const AGENT: Column<FlowSummary> = {
  head: 'agent',
  cell: ({ agent_id }) => agent_id,
  sort: 'agent',
  wide: true,
  hand: 'bare',
}
const AGE: Column<FlowSummary> = {
  head: 'opened',
  cell: ({ opened_at }) => <When at={opened_at} />,
  sort: '-opened',
  wide: true,
  hand: 'bare',
}

/** Beside a flow that is open, in two lines: the object and the last reason tell a flow from its neighbours, and are not cut away. */
const ABOUT: Column<FlowSummary> = {
  ...FLOW,
  cell: (flow) => (
    <span className="flows-lines">
      <span>
        <HashText text={shortenUuids(flow.trigger)} />
      </span>
      <span>
        <Action flow={flow} />
      </span>
    </span>
  ),
  cut: {
    share: 48,
    text: ({ trigger, kind, object }) =>
      toVisibleText([trigger, kind, object].filter((part) => part !== null).join(' · ')),
  },
}
const STANDING: Column<FlowSummary> = {
  ...STATE,
  cell: (flow) => (
    <span className="flows-lines">
      <Status {...describeFlowOutcome(flow)} />
      {flow.reason === null ? null : <ReasonLink code={flow.reason} />}
    </span>
  ),
}
export const FEW_COLUMNS: readonly Column<FlowSummary>[] = [ABOUT, AMOUNT, STANDING, AGE]
export const ALL_COLUMNS: readonly Column<FlowSummary>[] = [
  FLOW,
  ACTION,
  AMOUNT,
  STATE,
  REASON,
  AGENT,
  AGE,
]

function Action({ flow: { kind, object } }: { readonly flow: FlowSummary }): ReactNode {
  if (kind === null) return null
  return (
    <>
      <span className="mono small">
        <AgentText text={kind} />
      </span>{' '}
      {object === null ? null : (
        <span className="quiet">
          <HashText text={shortenUuids(object)} />
        </span>
      )}
    </>
  )
}

function Moved({ flow: { amount, measure } }: { readonly flow: FlowSummary }): ReactNode {
  if (amount === null) return null
  return <Measured amount={amount} measure={measure ?? ''} />
}
