/** What became of each of several requests. */
import type { ReactNode } from 'react'
import type { EscalationBrief } from 'rubicon-agents/client'
import { AgentText } from '../../../parts/agent-text.tsx'
import { ReasonLink } from '../../../parts/reason-link.tsx'
import { Status } from '../../../parts/status.tsx'
import { Amount } from '../../../parts/value.tsx'
import { toVisibleText } from '../../../parts/visible-text.ts'
import { Link } from '../../../url/link.tsx'
import { describeRequest } from '../inbox-words.ts'
import { describeOutcome } from '../outcome.ts'
import type { BatchResult } from './decide-each.ts'
import type { Batch, BatchItem } from './use-batch.ts'

export function BatchResults({
  batch: { phase, results, review, resume, stop },
  items,
  close,
}: {
  readonly batch: Batch
  readonly items: readonly BatchItem[]
  readonly close: () => void
}): ReactNode {
  const wanted = items.filter(({ obstacle }) => obstacle === null).map(({ brief }) => brief)
  const isRunning = phase === 'running'
  const count = (kind: BatchResult['kind']): number =>
    [...results.values()].filter((result) => result.kind === kind).length
  const open = wanted.filter(({ id }) => !results.has(id)).length + count('unheard')
  return (
    <div className="stack">
      <p role="status">
        {isRunning
          ? `Deciding: ${results.size} of ${wanted.length}…`
          : `${count('decided')} of ${wanted.length} decided.`}
      </p>
      <ol className="batch-items" aria-label="results">
        {wanted.map((brief) => (
          <li key={brief.id} className="batch-item">
            <p className="batch-head">
              <span>
                {describeRequest(brief)}{' '}
                {brief.object === null ? null : <AgentText text={brief.object} />}
              </span>
            </p>
            <Result brief={brief} result={results.get(brief.id)} isRunning={isRunning} />
          </li>
        ))}
      </ol>
      <p className="row">
        {isRunning ? (
          <button type="button" onClick={stop}>
            Stop after this one
          </button>
        ) : (
          <>
            {open === 0 ? null : (
              <button type="button" onClick={resume}>
                Go on with {open}
              </button>
            )}
            {count('moved') === 0 ? null : (
              <button type="button" onClick={review}>
                Review {count('moved')} that changed
              </button>
            )}
            <button type="button" className="main" onClick={close}>
              Done
            </button>
          </>
        )}
      </p>
    </div>
  )
}

function Result({
  brief,
  result,
  isRunning,
}: {
  readonly brief: EscalationBrief
  readonly result: BatchResult | undefined
  readonly isRunning: boolean
}): ReactNode {
  if (result === undefined)
    return <Status standing="repeated" word={isRunning ? 'waits its turn' : 'not decided'} />
  switch (result.kind) {
    case 'decided': {
      const { standing, word, code } = describeOutcome(brief, result.decided)
      return (
        <p className="small">
          <Status standing={standing} word={word} />{' '}
          {code === null ? null : <ReasonLink code={code} />}{' '}
          <Link href={`/flows/${brief.dfid}`}>flow</Link>
        </p>
      )
    }
    case 'refused':
      return (
        <p className="small">
          <Status standing="rejected" word="refused, and not decided" />{' '}
          <ReasonLink code={result.problem.code} /> {toVisibleText(result.problem.detail)}
        </p>
      )
    case 'moved':
      return <Moved moves={result.moves} />
    case 'obstacle':
      return (
        <p className="small">
          <Status standing="waiting" word="changed meanwhile, and not decided:" /> {result.why}
        </p>
      )
    case 'unheard':
      return (
        <p className="small">
          <Status standing="unknown" word="no answer: nobody knows yet whether it was decided" />{' '}
          {toVisibleText(result.problem.detail)}
        </p>
      )
  }
}

function Moved({ moves }: Pick<Extract<BatchResult, { kind: 'moved' }>, 'moves'>): ReactNode {
  return (
    <p className="small">
      <Status standing="waiting" word="changed meanwhile, and not decided" />
      {moves.map(({ name, from, to }) => (
        <span key={name}>
          : <AgentText text={name} /> <Amount value={from} /> → <Amount value={to} />
        </span>
      ))}
    </p>
  )
}
