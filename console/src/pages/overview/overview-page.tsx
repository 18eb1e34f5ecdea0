/** Is everything all right, and where should I look? Every figure leads to the list behind it. */
import type { ReactNode } from 'react'
import type { Overview } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useLookAgain } from '../../api/use-look-again.ts'
import { useReply } from '../../api/use-reply.ts'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { useQuery } from '../../url/location.ts'
import { DecisionsCard } from './decisions-card.tsx'
import { FirstSteps, isEmptyStore } from './first-steps.tsx'
import { HappenedCard } from './happened-card.tsx'
import { HealthCard } from './health-card.tsx'
import { MonitorsCard } from './monitors-card.tsx'
import { MovedCard } from './moved-card.tsx'
import { Notices } from './notices.tsx'
import { findRange, type ShownRange, USUAL_RANGE } from './range.ts'
import { RangePicker } from './range-picker.tsx'
import { ReasonsCard } from './reasons-card.tsx'
import { RiskCard } from './risk-card.tsx'
import { useOverviewKeys } from './use-overview-keys.ts'
import { WaitingCard } from './waiting-card.tsx'
import './overview.css'

/** At most once in this time it reads again, however much happens. */
const GATHER_MS = 2_000
/** Silence, and time that passes, ring no bell. */
const LOOK_MS = 30_000

export function OverviewPage(): ReactNode {
  const [named] = useQuery('range', USUAL_RANGE)
  const range = findRange(named)
  const { reply, again } = useReply(`overview ${range.value}`, (client, signal) =>
    client.getOverview({ query: { range: range.value }, signal }),
  )
  const isBuilding = reply.state === 'ready' && reply.value.indexed.leaf < reply.value.indexed.size
  useOverviewKeys()
  useBell(() => true, again, GATHER_MS)
  useLookAgain(again, isBuilding ? GATHER_MS : LOOK_MS)
  const isStale = reply.state === 'ready' && reply.stale !== null
  return (
    <Page
      name="overview"
      ground
      actions={
        <>
          {isStale ? <Status standing="unknown" word="not up to date" /> : null}
          <RangePicker value={range.value} />
        </>
      }
    >
      {reply.state === 'loading' ? <Loading what="the overview" shape="cards" /> : null}
      {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
      {reply.state === 'ready' ? <Shown overview={reply.value} range={range} /> : null}
    </Page>
  )
}

type ShownParts = { readonly overview: Overview; readonly range: ShownRange }

function Shown({ overview, range }: ShownParts): ReactNode {
  const isEmpty = isEmptyStore(overview)
  return (
    <>
      <Notices overview={overview} />
      <div className="overview">
        {isEmpty ? (
          <>
            <FirstSteps />
            <HealthCard health={overview.health} />
          </>
        ) : (
          <Answers overview={overview} range={range} />
        )}
      </div>
    </>
  )
}

/** In a narrow window the parts stand in one column, in the order of urgency (`overview.css`). */
function Answers({ overview, range }: ShownParts): ReactNode {
  return (
    <>
      <DecisionsCard overview={overview} range={range} />
      <div className="overview-columns">
        <div className="overview-column">
          <WaitingCard overview={overview} />
          <ReasonsCard overview={overview} />
          <HealthCard health={overview.health} />
        </div>
        <div className="overview-column">
          <RiskCard overview={overview} />
          <MovedCard overview={overview} />
        </div>
        <div className="overview-column">
          <MonitorsCard monitors={overview.monitors} />
          <HappenedCard happened={overview.happened} />
        </div>
      </div>
    </>
  )
}
