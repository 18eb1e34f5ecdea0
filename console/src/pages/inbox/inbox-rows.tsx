/** The list: what is asked, how much is at stake, who asks, and how long there is to decide. */
import type { ReactNode } from 'react'
import type { ClaimedRequest, InboxRow } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import type { Column } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { AtStake, StakeWords } from './at-stake.tsx'
import { describeEnd, describeRequest } from './inbox-words.ts'
import { createInboxOrder } from './list-controls.tsx'
import { RequestTable } from './request-table.tsx'
import { listStakeWords } from './stake-words.ts'
import type { OpenInbox } from './use-inbox.ts'

export function InboxRows({
  inbox,
  id,
}: {
  readonly inbox: OpenInbox
  /** The one that is open. */
  readonly id: string
}): ReactNode {
  const { shown, claimed, skew, sort, more, look } = inbox
  const over = shown.rows.some(({ ended }) => ended !== null)
  const columns: readonly Column<InboxRow>[] = [
    { head: 'request', cell: (row) => <Request row={row} claim={claimed.get(row.id)} /> },
    {
      head: 'at stake',
      cell: (row) => <AtStake {...row} />,
      number: true,
      sort: '-amount',
      hand: 'bare',
    },
    { head: 'agent', cell: ({ agent_id }) => agent_id, wide: true, hand: 'bare' },
    {
      head: over ? 'outcome' : 'time left',
      cell: (row) => (
        <Left row={row} gone={shown.gone.has(row.id) && !claimed.has(row.id)} skew={skew} />
      ),
      number: over ? undefined : true,
      sort: 'expires',
      hand: over ? 'bare' : 'corner',
    },
  ]
  const order = createInboxOrder(sort, inbox.usual)
  return (
    <RequestTable
      rows={shown.rows}
      columns={columns}
      id={id}
      gone={shown.gone}
      more={more}
      look={look}
      {...(order === null ? {} : { order })}
    />
  )
}

function Request({
  row,
  claim,
}: {
  readonly row: InboxRow
  readonly claim: ClaimedRequest | undefined
}): ReactNode {
  const { object, stakes } = row
  return (
    <>
      <span className="request-title">
        {describeRequest(row)} {object === null ? null : <AgentText text={object} />}
      </span>
      <StakeWords words={stakes === null ? [] : listStakeWords(stakes)} />
      {claim === undefined ? null : (
        <span className="inbox-claim small">
          {claim.given_by === undefined ? 'claimed by' : 'given to'}{' '}
          {claim.yours ? 'you' : claim.by}
        </span>
      )}
    </>
  )
}

function Left({
  row: { ended, decided, state, expires_at, needs, approvals },
  gone,
  skew,
}: {
  readonly row: InboxRow
  readonly gone: boolean
  readonly skew: number
}): ReactNode {
  if (ended !== null)
    return (
      <>
        <Status {...describeEnd(ended.as, decided?.decision)} />{' '}
        {decided === null ? null : `by ${decided.by} `}
        <When at={ended.at} />
      </>
    )
  if (state === 'approved') return <Status standing="running" word="approved" />
  if (gone) return <Status standing="repeated" word="decided" />
  return (
    <>
      {needs > 1 ? <span className="quiet small">{`${approvals} of ${needs} · `}</span> : null}
      <TimeLeft until={expires_at} skew={skew} />
    </>
  )
}
