import type { ReactNode } from 'react'
import type { EscalationBrief } from 'rubicon-agents/client'
import { HashText } from '../../../parts/hash-text.tsx'
import { Link } from '../../../url/link.tsx'
import { AtStake } from '../at-stake.tsx'
import { EffectRows } from '../effect-rows.tsx'
import { describeRequest } from '../inbox-words.ts'
import type { BatchWord } from './batch-obstacle.ts'

/** One of several: what it would do and send, whole, as one request shows it. */
export function BatchItemView({
  brief,
  word,
  obstacle = null,
}: {
  readonly brief: EscalationBrief
  readonly word: BatchWord
  readonly obstacle?: string | null
}): ReactNode {
  const { id, object, agent_id, effect, exposure, abort_ends_agent } = brief
  return (
    <li className="batch-item">
      <p className="batch-head">
        <Link href={`/inbox/${encodeURIComponent(id)}${location.search}`}>
          {describeRequest(brief)} {object === null ? null : <HashText text={object} />}
        </Link>
        <span className="quiet small">{agent_id}</span>
        <span className="batch-amount">
          <AtStake exposure={exposure} stakes={null} />
        </span>
      </p>
      {obstacle === null ? null : <p className="small">{obstacle}</p>}
      {obstacle !== null || effect === null || word === 'ABORT' ? null : (
        <EffectRows effect={effect} />
      )}
      {word === 'ABORT' && abort_ends_agent && obstacle === null ? (
        <p className="small">
          ⚠ <strong>{agent_id}</strong> is an instance: it is retired too.
        </p>
      ) : null}
    </li>
  )
}
