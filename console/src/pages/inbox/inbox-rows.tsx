/** The list: what is asked, how much is at stake, who asks, and how long there is to decide. */
import type { ReactNode } from 'react'
import type { ClaimedRequest, InboxRow } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { Amount } from '../../parts/value.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { ImpactMark } from './impact-mark.tsx'
import { describeEnd, describeRequest } from './inbox-words.ts'
import type { OpenInbox } from './use-inbox.ts'

export function InboxRows({
  inbox,
  id,
}: {
  readonly inbox: OpenInbox
  /** The one that is open. */
  readonly id: string
}): ReactNode {
  const { shown, claimed, skew } = inbox
  const over = shown.rows.some(({ ended }) => ended !== null)
  const columns: readonly Column<InboxRow>[] = [
    { head: 'request', cell: (row) => <Request row={row} claim={claimed.get(row.id)} /> },
    { head: 'at stake', cell: (row) => <AtStake row={row} />, number: true, wide: true },
    { head: 'agent', cell: ({ agent_id }) => agent_id, wide: true },
    {
      head: over ? 'outcome' : 'time left',
      cell: (row) => (
        <Left row={row} gone={shown.gone.has(row.id) && !claimed.has(row.id)} skew={skew} />
      ),
      number: over ? undefined : true,
    },
  ]
  return (
    <Rows
      label="requests"
      rows={shown.rows}
      columns={columns}
      keyOf={(row) => row.id}
      hrefOf={(row) => `/inbox/${encodeURIComponent(row.id)}${location.search}`}
      selected={id}
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
  const { impact, object } = row
  return (
    <>
      <ImpactMark impact={impact} /> {describeRequest(row)}{' '}
      {object === null ? null : <AgentText text={object} />}
      {claim === undefined ? null : (
        <span className="inbox-claim small">
          {claim.yours ? 'claimed by you' : `claimed by ${claim.by}`}
        </span>
      )}
    </>
  )
}

function AtStake({ row: { exposure } }: { readonly row: InboxRow }): ReactNode {
  if (exposure === null) return <span className="quiet">not measured</span>
  return (
    <>
      <Amount value={exposure.value} /> <span className="quiet small">{exposure.measure}</span>
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
