/** What came of a check: one sentence, what is wrong first, and the flow of a bundle. */
import { type ReactNode, useEffect, useRef } from 'react'
import { Id, shortenId } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { formatAbsolute, formatDuration } from '../../time/clock.ts'
import { useTime } from '../../time/time.tsx'
import { Link } from '../../url/link.tsx'
import { FlowStory } from '../flow/flow-story.tsx'
import { FlowTimeline } from '../flow/flow-timeline.tsx'
import { toFlowEntries } from './bundle-flow.ts'
import { FindingsTable } from './findings-table.tsx'
import { createPin } from './pins.ts'
import type { Pins } from './use-pins.ts'
import { formatVerdict } from './verdict-sentence.ts'
import type { BadEntry, Verified } from './verification.ts'

export function VerifyResult({
  name,
  verified,
  pins,
}: {
  readonly name: string
  readonly verified: Verified
  readonly pins: Pins
}): ReactNode {
  const { utc } = useTime()
  const { report, head, what, bad, flow, ms } = verified
  const formatDay = (at: string): string => formatAbsolute(at, utc).slice(0, 10)
  const formatMoment = (at: string): string => formatAbsolute(at, utc)
  const isPinned = report.strength === 'trusted'
  return (
    <div className="stack">
      <p className="verdict" role="status">
        <Status
          standing={report.ok ? 'allowed' : 'rejected'}
          word={report.ok ? 'valid' : 'not valid'}
        />{' '}
        <strong>
          {formatVerdict(verified, { short: shortenId, day: formatDay, exactly: formatMoment })}
        </strong>
      </p>
      <p className="row small quiet">
        <span className="wrap">{toVisibleText(name)}</span>
        <span>checked in this browser in {formatDuration(ms)}</span>
        <span>{report.signatures.checked} signatures</span>
        {report.erased === 0 ? null : <span>{report.erased} payloads were erased</span>}
      </p>
      {report.ok && head !== null && head.verifierKey !== null ? (
        <Members>
          <Member name="verifier key">
            <code className="wrap">{toVisibleText(head.verifierKey)}</code>
          </Member>
        </Members>
      ) : null}
      {report.ok && !isPinned && head !== null ? (
        <p className="row">
          <button
            type="button"
            onClick={() => pins.pin(createPin(head, what, new Date().toISOString()))}
          >
            Pin this log
          </button>
          <span className="quiet small">
            The next check must find this log again, continued from here.
          </span>
        </p>
      ) : null}
      {bad === null ? null : <FirstBad bad={bad} ours={what === 'server'} />}
      <FindingsTable report={report} />
      {flow === null ? null : (
        <section className="stack" aria-label="the flow of the bundle">
          <h2 className="row">
            Flow <Id value={flow.dfid} />
          </h2>
          {report.ok ? null : <p className="status-rejected">✖ What follows is not valid.</p>}
          <FlowStory
            entries={toFlowEntries(flow)}
            executions={[]}
            linked={false}
            timeline={(spans) => <FlowTimeline spans={spans} tree={null} linked={false} />}
          />
        </section>
      )}
      <Json value={report} label="report" />
    </div>
  )
}

/** The reader is taken there. */
function FirstBad({ bad, ours }: { readonly bad: BadEntry; readonly ours: boolean }): ReactNode {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    place.current?.focus()
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const { leaf, trajectory, seq, code, detail, expected, found } = bad.finding
  return (
    <section className="bad-entry" ref={place} tabIndex={-1} aria-label="the first bad entry">
      <h3 className="row">
        {leaf === null ? 'The checkpoint or the keys' : `Entry ${leaf}`}
        {trajectory === null ? null : (
          <span className="mono">
            {toVisibleText(trajectory)}/{seq}
          </span>
        )}
        <ReasonLink code={code} />
      </h3>
      <Members>
        <Member name="what is wrong">{toVisibleText(detail)}</Member>
        {expected === undefined ? null : (
          <Member name="expected">
            <code className="wrap">{toVisibleText(expected)}</code>
          </Member>
        )}
        {found === undefined ? null : (
          <Member name="found">
            <code className="wrap">{toVisibleText(found)}</code>
          </Member>
        )}
      </Members>
      {bad.line === null ? null : <BadLine line={bad.line} />}
      {ours && leaf !== null ? (
        <p>
          <Link href={`/ledger/${leaf}`}>Open the entry on this server</Link>
        </p>
      ) : null}
    </section>
  )
}

const LINE_SHOWN = 20_000

/** As it came, and nothing made of it. */
function BadLine({ line }: { readonly line: string }): ReactNode {
  return (
    <details>
      <summary>the line as received</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre className="bad-line" tabIndex={0}>
        {toVisibleText(line.slice(0, LINE_SHOWN))}
      </pre>
    </details>
  )
}
