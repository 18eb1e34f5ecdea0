/**
 * One request, read again while it is open.
 *
 * What is on the screen is what is decided on: when a fact moves, the old picture stays, the movement
 * is named, and nothing can be approved until somebody has looked at the new one.
 */
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Decided, EscalationBrief } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useLookAgain } from '../../api/use-look-again.ts'
import { useReply } from '../../api/use-reply.ts'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { useSkew } from '../../time/skew.ts'
import { Aftermath } from './aftermath.tsx'
import { BriefView } from './brief-view.tsx'
import { ClaimLine } from './claim-line.tsx'
import { Comments } from './comments/comments.tsx'
import { DecisionForm } from './decision-form.tsx'
import { findMovedFacts } from './moved-facts.ts'
import { MovedNote } from './moved-note.tsx'
import './request-detail.css'

export type RequestDetailProps = {
  readonly id: string
  /** The next one that waits. */
  readonly next: string | null
  readonly goOn: () => void
  readonly look: () => void
}

const LOOK_MS = 3_000

export function RequestDetail(props: RequestDetailProps): ReactNode {
  const { id } = props
  const { reply, again } = useReply(`brief ${id}`, (client, signal) =>
    client.getEscalationBrief({ params: { id }, signal }),
  )
  const dfid = reply.state === 'ready' ? reply.value.dfid : null
  const waits = reply.state === 'ready' && reply.value.state === 'open'
  useBell((event) => event.dfid === dfid, again)
  // Facts from outside and claims of others ring no bell.
  useLookAgain(again, LOOK_MS, waits)
  if (reply.state === 'loading') return <Loading what="the request" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  return (
    <>
      {reply.stale === null ? null : (
        <div className="request-stale" role="alert">
          <strong>{reply.stale.title}.</strong> What you see is from before; what you typed is kept.{' '}
          <button type="button" className="plain" onClick={again}>
            Try again
          </button>
        </div>
      )}
      <Request {...props} latest={reply.value} again={again} />
    </>
  )
}

function Request({
  latest,
  again,
  next,
  goOn,
  look,
}: RequestDetailProps & {
  readonly latest: EscalationBrief
  readonly again: () => void
}): ReactNode {
  const [seen, see] = useState(latest)
  const [decided, setDecided] = useState<Decided | null>(null)
  const article = useRef<HTMLElement>(null)
  const facts = useRef<HTMLElement>(null)
  const moved = latest.state === 'open' ? findMovedFacts(seen, latest) : null
  if (moved === null && seen !== latest) see(latest)
  const skew = useSkew(latest.now)
  useEffect(() => article.current?.focus({ preventScroll: true }), [])
  const review = useCallback(() => {
    see(latest)
    facts.current?.focus()
  }, [latest])
  const handleChanged = (): void => {
    again()
    look()
  }
  const handleSettled = (outcome: Decided): void => {
    setDecided(outcome)
    handleChanged()
  }
  const high = latest.impact === 'HIGH_IMPACT'
  const over = decided !== null || latest.state !== 'open'
  return (
    <article
      className={high ? 'request request-high' : 'request'}
      ref={article}
      tabIndex={-1}
      aria-label="the request"
    >
      <BriefView brief={seen} outlook={latest.outlook} facts={facts} />
      {moved === null || over ? null : <MovedNote moves={moved} />}
      <Comments brief={latest} changed={again} />
      {over ? (
        <Aftermath brief={latest} decided={decided} next={next} goOn={goOn} />
      ) : (
        <>
          <ClaimLine brief={latest} skew={skew} changed={handleChanged} />
          <DecisionForm
            brief={seen}
            claimed={latest.claimed}
            skew={skew}
            review={moved === null ? null : review}
            settled={handleSettled}
            again={again}
          />
        </>
      )}
    </article>
  )
}
