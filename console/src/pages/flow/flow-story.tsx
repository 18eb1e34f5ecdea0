/** A flow's story in three views of one list, and what its agent saw. */
import type { ReactNode } from 'react'
import { Json } from '../../parts/json.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { When } from '../../parts/when.tsx'
import { useQuery } from '../../url/location.ts'
import { listAtoms } from './atom-account.ts'
import { AtomViews } from './atom-view.tsx'
import { EntryList } from './entry-list.tsx'
import { parseOpening } from './entry-payload.ts'
import { Milestones } from './milestones.tsx'
import { buildStory } from './story.ts'
import type { Attempt, FlowEntry, Story } from './story-parts.ts'
import { StorySteps } from './story-steps.tsx'
import { Waterfall } from './waterfall.tsx'
import './flow-story.css'

const TABS: readonly Tab[] = [
  { value: 'timeline', label: 'Timeline' },
  { value: 'compact', label: 'Compact' },
  { value: 'context', label: 'Context as the agent saw it' },
  { value: 'entries', label: 'Ledger entries' },
  { value: 'json', label: 'JSON' },
]

/** `entries` in the order of the ledger. */
export function FlowStory({
  entries,
  linked,
}: {
  readonly entries: readonly FlowEntry[]
  readonly linked: boolean
}): ReactNode {
  const [view] = useQuery('view', 'timeline')
  const story = buildStory(entries)
  return (
    <div className="flow-story">
      <Milestones milestones={story.milestones} />
      <Tabs label="views of the flow" name="view" tabs={TABS} value={view} />
      <div className="flow-story-view">{renderView(view, story, entries, linked)}</div>
    </div>
  )
}

function renderView(
  view: string,
  story: Story,
  entries: readonly FlowEntry[],
  linked: boolean,
): ReactNode {
  switch (view) {
    case 'compact':
      return <StorySteps steps={story.steps} compact />
    case 'context':
      return <Context entries={entries} />
    case 'entries':
      return <EntryList entries={entries} linked={linked} />
    case 'json':
      return <Json value={entries} open label="entries" />
    default:
      return (
        <div className="stack">
          <StorySteps steps={story.steps} />
          <AtomViews atoms={listAtoms(entries, story.steps.filter(isAttempt))} />
          <h2>Time spent</h2>
          <Waterfall spans={story.spans} />
        </div>
      )
  }
}

function isAttempt(step: Story['steps'][number]): step is Attempt {
  return step.kind === 'attempt'
}

function Context({ entries }: { readonly entries: readonly FlowEntry[] }): ReactNode {
  const shown = entries.flatMap(({ id, at, payload }) => {
    const opening = parseOpening(payload)
    return opening === null ? [] : [{ id, at, snapshot: opening.snapshot }]
  })
  if (shown.length === 0)
    return <p className="quiet">What the agent saw is not in these entries.</p>
  return (
    <div className="stack">
      {shown.map(({ id, at, snapshot }) => (
        <section key={id}>
          <p className="quiet small">
            shown <When at={at} />
          </p>
          <Json value={snapshot} open label="snapshot" />
        </section>
      ))}
    </div>
  )
}
