/** What came of a check: one sentence, what is wrong first, and the flow of a bundle. */
import { type ReactNode, useEffect, useRef } from 'react'
import { Id, shortened } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Status } from '../../parts/status.tsx'
import { visibleText } from '../../parts/visible-text.ts'
import { absolute, span } from '../../time/clock.ts'
import { useTime } from '../../time/time.tsx'
import { Link } from '../../url/link.tsx'
import { FlowStory } from '../flow/flow-story.tsx'
import { bundleFlow } from './bundle-flow.ts'
import { FindingsTable } from './findings-table.tsx'
import { pinOfHead } from './pins.ts'
import type { Pins } from './use-pins.ts'
import { verdictSentence } from './verdict-sentence.ts'
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
  const day = (at: string): string => absolute(at, utc).slice(0, 10)
  const exactly = (at: string): string => absolute(at, utc)
  const isPinned = report.strength === 'trusted'
  return (
    <div className="stack">
      <p className="verdict" role="status">
        <Status
          standing={report.ok ? 'allowed' : 'rejected'}
          word={report.ok ? 'holds' : 'does not hold'}
        />{' '}
        <strong>{verdictSentence(verified, { short: shortened, day, exactly })}</strong>
      </p>
      <p className="row small quiet">
        <span className="wrap">{visibleText(name)}</span>
        <span>checked here in {span(ms)}</span>
        <span>{report.signatures.checked} signatures</span>
        {report.erased === 0 ? null : <span>{report.erased} payloads were erased</span>}
      </p>
      {report.ok && head !== null && head.verifierKey !== null ? (
        <Members>
          <Member name="verifier key">
            <code className="wrap">{visibleText(head.verifierKey)}</code>
          </Member>
        </Members>
      ) : null}
      {report.ok && !isPinned && head !== null ? (
        <p className="row">
          <button
            type="button"
            onClick={() => pins.pin(pinOfHead(head, what, new Date().toISOString()))}
          >
            Pin this log
          </button>
          <span className="quiet small">
            Next time it has to be this one, and to go on from here.
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
          {report.ok ? null : <p className="status-rejected">✖ What follows does not verify.</p>}
          <FlowStory entries={bundleFlow(flow)} linked={false} />
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
        {leaf === null ? 'What covers the entries' : `Entry ${leaf}`}
        {trajectory === null ? null : (
          <span className="mono">
            {visibleText(trajectory)}/{seq}
          </span>
        )}
        <ReasonLink code={code} />
      </h3>
      <Members>
        <Member name="what is wrong">{visibleText(detail)}</Member>
        {expected === undefined ? null : (
          <Member name="expected">
            <code className="wrap">{visibleText(expected)}</code>
          </Member>
        )}
        {found === undefined ? null : (
          <Member name="found">
            <code className="wrap">{visibleText(found)}</code>
          </Member>
        )}
      </Members>
      {bad.line === null ? null : <BadLine line={bad.line} />}
      {ours && leaf !== null ? (
        <p>
          <Link href={`/ledger/${leaf}`}>Open it as the server shows it</Link>
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
      <summary>the line as it came</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre className="bad-line" tabIndex={0}>
        {visibleText(line.slice(0, LINE_SHOWN))}
      </pre>
    </details>
  )
}
