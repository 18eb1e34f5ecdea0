/** What was sent, what is known of its outcome, and how it is known. */
import type { ReactNode } from 'react'
import type { GetFlowReply } from 'rubicon-agents/client'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { getExecutionStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { Value } from '../../parts/value.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { AccountBlock } from './account-block.tsx'
import type { BlockProps } from './account-blocks.tsx'
import type { AttemptAccount } from './attempt-account.ts'
import { EntryLink } from './entry-link.tsx'
import { parseHappening } from './entry-payload.ts'
import type { FlowEntry } from './story-parts.ts'

export function HappenedBlock({
  account,
  linked,
  executions,
}: BlockProps & { readonly executions: GetFlowReply['executions'] }): ReactNode {
  const { happened, step } = account
  const execution = executions.find(({ step_id }) => step_id === step)
  return (
    <AccountBlock number={4} title="What happened" entry={null} linked={linked}>
      {execution === undefined ? null : (
        <p className="row">
          <Status {...getExecutionStanding(execution.status)} />
          <Link href={`/executions/${execution.dfid}:${execution.step_id}`}>
            {toVisibleText(execution.policy_kind)} {toVisibleText(execution.step_id)}
          </Link>
          <span className="quiet small">
            {execution.sends === 1 ? 'sent once' : `sent ${execution.sends} times`}
            {execution.last_sent_at === null ? null : (
              <>
                , <When at={execution.last_sent_at} />
              </>
            )}
          </span>
        </p>
      )}
      {happened.length === 0 ? <p className="quiet">{describeNothing(account)}</p> : null}
      <ol className="account-events">
        {happened.map((entry) => (
          <Happening key={entry.id} entry={entry} linked={linked} />
        ))}
      </ol>
    </AccountBlock>
  )
}

function describeNothing({ attempt: { outcome }, rulings }: AttemptAccount): string {
  if (outcome === 'rejected') return 'Nothing was sent: it was refused.'
  if (outcome === 'accepted') return 'Nothing of it is known yet.'
  return rulings.length === 0
    ? 'Nothing was sent: it waits for a person.'
    : 'Nothing was sent for this attempt; what was approved is the next one.'
}

function Happening({
  entry,
  linked,
}: {
  readonly entry: FlowEntry
  readonly linked: boolean
}): ReactNode {
  const { word, code, values } = parseHappening(entry)
  return (
    <li className="account-event">
      <span className="row">
        <strong>{toVisibleText(word)}</strong>
        {code === null ? null : <ReasonLink code={code} />}
        <span className="small quiet">
          <When at={entry.at} />
        </span>
        <EntryLink entry={entry} linked={linked} />
      </span>
      {values.length === 0 ? null : (
        <span className="small account-values">
          {values.map(([name, value]) => (
            <span key={name}>
              <span className="quiet">{name}</span> <Value value={value} />
            </span>
          ))}
        </span>
      )}
    </li>
  )
}
