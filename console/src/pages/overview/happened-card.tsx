import { type ReactNode, useState } from 'react'
import type { HappenedEvent } from 'rubicon-agents/client'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { NewRows } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { describeHappened } from './happened-words.ts'

const SHOWN = 9

/** What somebody who was away is told of, newest first; what comes meanwhile waits behind a button. */
export function HappenedCard({
  happened,
}: {
  readonly happened: readonly HappenedEvent[]
}): ReactNode {
  const [shown, show] = useState(happened)
  const newest = shown[0]?.leaf ?? -1
  const fresh = shown.length === 0 ? 0 : happened.filter(({ leaf }) => leaf > newest).length
  const rows = shown.length === 0 ? happened : shown
  return (
    <Card title="What happened" href="/ledger" more="Ledger">
      <NewRows count={fresh} show={() => show(happened)} />
      {rows.length === 0 ? (
        <Empty what="No approval, suspension, deployment or key change yet." />
      ) : null}
      <ul className="overview-lines">
        {rows.slice(0, SHOWN).map((event) => (
          <li key={event.leaf}>
            <HappenedLine event={event} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function HappenedLine({ event }: { readonly event: HappenedEvent }): ReactNode {
  const { standing, words, more } = describeHappened(event)
  return (
    <>
      <Link className="overview-what" href={`/ledger/${event.leaf}`}>
        <Status standing={standing} word="" /> {words}
      </Link>
      <span className="overview-side quiet small">
        <When at={event.at} />
      </span>
      {more === '' ? null : <span className="quiet small wrap">{more}</span>}
    </>
  )
}
