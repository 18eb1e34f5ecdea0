/** Is everything all right, and where should I look? Every figure leads to the list behind it. */
import type { ReactNode } from 'react'
import type { Overview } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useLookAgain } from '../../api/use-look-again.ts'
import { useReply } from '../../api/use-reply.ts'
import { Cards } from '../../parts/card.tsx'
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

function Shown({
  overview,
  range,
}: {
  readonly overview: Overview
  readonly range: ShownRange
}): ReactNode {
  const isEmpty = isEmptyStore(overview)
  return (
    <div className="overview">
      <Notices overview={overview} />
      <Cards>
        {isEmpty ? (
          <Slot name="decisions">
            <FirstSteps />
          </Slot>
        ) : (
          <Answers overview={overview} range={range} />
        )}
        <Slot name="health">
          <HealthCard health={overview.health} />
        </Slot>
      </Cards>
    </div>
  )
}

function Answers({
  overview,
  range,
}: {
  readonly overview: Overview
  readonly range: ShownRange
}): ReactNode {
  return (
    <>
      <Slot name="decisions">
        <DecisionsCard overview={overview} range={range} />
      </Slot>
      <Slot name="waiting">
        <WaitingCard overview={overview} />
      </Slot>
      <Slot name="risk">
        <RiskCard risks={overview.at_risk} />
      </Slot>
      <Slot name="moved">
        <MovedCard moved={overview.moved} />
      </Slot>
      <Slot name="reasons">
        <ReasonsCard overview={overview} />
      </Slot>
      <Slot name="happened">
        <HappenedCard happened={overview.happened} />
      </Slot>
      <Slot name="monitors">
        <MonitorsCard monitors={overview.monitors} />
      </Slot>
    </>
  )
}

/** A place in the grid; in a narrow window places stand in the order of urgency (`overview.css`). */
function Slot({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactNode
}): ReactNode {
  return <div className={`overview-slot overview-${name}`}>{children}</div>
}
