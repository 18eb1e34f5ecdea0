/** Requests that are alike, together: by agent, by kind of action, or by why somebody is asked. */
import type { EscalationSummary, InboxRow } from 'rubicon-agents/client'
import { describeRequest } from './inbox-words.ts'

/** What the rows of both lists have. */
export type ListedRequest = Pick<
  EscalationSummary,
  'id' | 'state' | 'agent_id' | 'action' | 'reason_code' | 'impact' | 'exposure' | 'stakes'
> & { readonly kind: InboxRow['kind'] | 'outcome' }

export const GROUPINGS = ['agent', 'kind', 'reason'] as const
export type Grouping = (typeof GROUPINGS)[number]

export type RequestGroup<Row> = {
  readonly name: string
  readonly rows: readonly Row[]
}

/** In the order of their first rows: what comes first in the list leads its group. */
export function groupRequests<Row extends ListedRequest>(
  rows: readonly Row[],
  by: Grouping,
): readonly RequestGroup<Row>[] {
  const groups = Map.groupBy(rows, (row) => NAMES[by](row))
  return [...groups].map(([name, members]) => ({ name, rows: members }))
}

const NAMES: Readonly<Record<Grouping, (row: ListedRequest) => string>> = {
  agent: ({ agent_id }) => agent_id,
  kind: ({ action, kind }) =>
    kind === 'outcome' ? 'an effect with an unknown outcome' : describeRequest({ action, kind }),
  reason: ({ reason_code }) => reason_code,
}

export function parseGrouping(text: string | null): Grouping | null {
  return GROUPINGS.find((known) => known === text) ?? null
}

/** What may be decided together with others: it is open, has a proposal, and asks for no more than a look. */
export function isSelectable({ state, kind, impact }: ListedRequest): boolean {
  return state === 'open' && kind === 'proposal' && impact === 'LOW_IMPACT'
}
