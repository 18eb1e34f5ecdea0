/** A flow's story: how far it came, each attempt in four parts, and the entries themselves. */
import type { ReactNode } from 'react'
import type { GetFlowReply } from 'rubicon-agents/client'
import { Json } from '../../parts/json.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { useQuery } from '../../url/location.ts'
import { AccountBlocks } from './account-blocks.tsx'
import { buildAttemptAccount, listAttempts } from './attempt-account.ts'
import { AttemptDiffView } from './attempt-diff-view.tsx'
import { EntryList } from './entry-list.tsx'
import { Milestones } from './milestones.tsx'
import { StepList } from './step-list.tsx'
import { buildStory } from './story.ts'
import type { FlowEntry, Story } from './story-parts.ts'
import './flow-story.css'

const TABS: readonly Tab[] = [
  { value: 'story', label: 'Story' },
  { value: 'entries', label: 'Ledger entries' },
  { value: 'json', label: 'JSON' },
]

type StoryProps = {
  /** In the order of the ledger. */
  readonly entries: readonly FlowEntry[]
  readonly executions: GetFlowReply['executions']
  /** Of so many entries the text was left out. */
  readonly withheld?: number
  /** Whether there is a ledger page that has them. */
  readonly linked: boolean
  /** Whether it is over; of a bundle only its entries are known. */
  readonly ended?: boolean
  /** The steps in time. */
  readonly timeline: (spans: Story['spans']) => ReactNode
}

export function FlowStory({
  entries,
  executions,
  withheld = 0,
  linked,
  ended = false,
  timeline,
}: StoryProps): ReactNode {
  const [view] = useQuery('view', 'story')
  const story = buildStory(entries)
  return (
    <div className="flow-story">
      <Milestones milestones={story.milestones} ended={ended} />
      {timeline(story.spans)}
      <Tabs label="views of the flow" name="view" tabs={TABS} value={view} />
      <div className="flow-story-view">
        {view === 'entries' ? <EntryList entries={entries} linked={linked} /> : null}
        {view === 'json' ? <Json value={entries} open label="entries" /> : null}
        {view === 'entries' || view === 'json' ? null : (
          <Attempts {...{ story, entries, executions, withheld, linked }} />
        )}
      </div>
    </div>
  )
}

/** One attempt at a time: the last one, unless the address names another. */
function Attempts({
  story,
  entries,
  executions,
  withheld = 0,
  linked,
}: Omit<StoryProps, 'timeline' | 'ended'> & { readonly story: Story }): ReactNode {
  const [named] = useQuery('attempt')
  const attempts = listAttempts(story)
  const chosen = attempts.find(({ entry }) => String(entry.seq) === named) ?? attempts.at(-1)
  if (chosen === undefined) return <p className="quiet">{describeNone(entries, withheld)}</p>
  return (
    <div className="stack">
      {/* A single one stands in the title of its flow; a bundle has none. */}
      {story.steps.length < 2 && linked ? null : <StepList steps={story.steps} chosen={chosen} />}
      <AccountBlocks
        account={buildAttemptAccount(story, entries, chosen)}
        executions={executions}
        linked={linked}
      />
      <AttemptDiffView attempts={attempts} chosen={chosen} />
    </div>
  )
}

function describeNone(entries: readonly FlowEntry[], withheld: number): string {
  if (withheld > 0)
    return 'What was said in this flow is too long to be shown here. Its entries are in the ledger.'
  const isGone = entries.some(({ payload }) => payload === null || payload === undefined)
  if (isGone)
    return 'What was said in this flow was erased, or lies in an archive. Its entries and their hashes remain.'
  if (entries.some(({ kind }) => kind === 'delegation'))
    return 'It has proposed nothing itself. What was done stands in the flows opened in it.'
  return 'No proposals yet.'
}
