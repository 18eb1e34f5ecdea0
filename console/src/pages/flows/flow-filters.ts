/** Which flows: how their states are grouped, and how verdicts are called. */
import type { FilterCounts, ListFlowsAsked } from 'rubicon-agents/client'
import type { FilterChoice } from '../../parts/filter-bar/filter-form.tsx'
import type { Tab } from '../../parts/tabs.tsx'

export const STATE_CHOICE: FilterChoice = {
  name: 'in',
  label: 'state',
  options: [
    { value: 'all', label: 'any' },
    { value: 'waiting', label: 'waiting for a person' },
    { value: 'running', label: 'running' },
    { value: 'aborted', label: 'aborted' },
    { value: 'closed', label: 'closed' },
  ],
}

const STATES: ReadonlyMap<string, string> = new Map([
  ['waiting', 'ESCALATED'],
  ['running', 'CREATED,ACTIVE,VALIDATING,ACCEPTED,EXECUTING'],
  ['aborted', 'ABORTED'],
  ['closed', 'CLOSED'],
])

export function getStates(group: string): string | undefined {
  return STATES.get(group)
}

type Outcome = NonNullable<NonNullable<ListFlowsAsked['query']>['outcome']>

const OUTCOMES: readonly { readonly value: Outcome; readonly label: string }[] = [
  { value: 'decided', label: 'Decided' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'escalated', label: 'Sent to a person' },
  { value: 'ended', label: 'Ended early' },
]

export function parseOutcome(text: string): Outcome | undefined {
  return OUTCOMES.find(({ value }) => value === text)?.value
}

/** A flow with several verdicts is counted for each of them. */
export function listOutcomeTabs(
  counts: FilterCounts | null,
  chosen: Outcome | undefined,
): readonly Tab[] {
  const all: Tab = { value: 'all', label: 'All' }
  if (counts === null) return [all, ...OUTCOMES]
  return [
    // With an outcome in the filter the total is that of the outcome.
    chosen === undefined ? { ...all, count: counts.total } : all,
    ...OUTCOMES.map((tab) => addCount(tab, tab.value === chosen, counts)),
  ]
}

/** How many have any verdict is known where it was asked for. */
function addCount(tab: (typeof OUTCOMES)[number], isChosen: boolean, counts: FilterCounts): Tab {
  if (isChosen) return { ...tab, count: counts.total }
  return tab.value === 'decided' ? tab : { ...tab, count: counts.by[tab.value] ?? 0 }
}
