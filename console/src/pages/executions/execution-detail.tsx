/** One effect: what is known of it, what happens next, and the word of a person where one is needed. */

import type { ReactNode } from 'react'
import type { ExecutionView } from 'rubicon-agents/client'
import { describeMcpError, type JsonValue } from 'rubicon-kernel'
import { useBell } from '../../api/live.tsx'
import { useSession } from '../../api/session.tsx'
import { useNamings } from '../../api/use-namings.ts'
import { useReply } from '../../api/use-reply.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { getExecutionStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { Term } from '../../parts/term/term.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { describeEffect } from './effect-words.ts'
import { findExecution } from './find-execution.ts'
import { ResolveForm } from './resolve-form.tsx'
import { describeNext } from './what-next.ts'
import './execution-detail.css'

export function ExecutionDetail({
  id,
  settled,
}: {
  /** `DFID:STEP` */
  readonly id: string
  readonly settled: () => void
}): ReactNode {
  const [dfid = '', step = ''] = splitOnce(id)
  const { reply, again } = useReply(`execution ${id}`, (client, signal) =>
    findExecution(client, dfid, step, signal),
  )
  useBell((event) => event.dfid === dfid, again)
  if (reply.state === 'loading') return <Loading what="the effect" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  const { found } = reply.value
  if (found === null) return <Empty what="This effect does not exist." />
  return <Effect row={found} settled={settled} />
}

function Effect({
  row,
  settled,
}: {
  readonly row: ExecutionView
  readonly settled: () => void
}): ReactNode {
  const { session } = useSession()
  const namings = useNamings()
  const { dfid, step_id, agent_id, status, next_at, reason_code } = row
  const waits = status === 'MANUAL_REVIEW'
  return (
    <article className="execution-detail stack">
      <h2 className="row">
        <AgentText text={describeEffect(namings, row)} />{' '}
        <Status {...getExecutionStanding(status)} />
      </h2>
      <p>
        {describeNext(row)}
        {next_at === null ? null : (
          <>
            {' '}
            Next check <When at={next_at} />.
          </>
        )}
      </p>
      <Members>
        <Member name="flow">
          <Id value={dfid} href={`/flows/${dfid}`} /> {step_id}
        </Member>
        <Member name="agent">
          <Link href={`/agents/${encodeURIComponent(agent_id)}`}>{agent_id}</Link>
        </Member>
        <Member name="decided">
          <When at={row.dispatched_at} />, <Term word="entry" /> {row.dispatched.trajectory}/
          {row.dispatched.seq}
        </Member>
        <Member name="sent">
          {row.sends} {row.sends === 1 ? 'time' : 'times'}, last <When at={row.last_sent_at} />
        </Member>
        <Member name={<Term word="probe">looked up</Term>}>
          {row.probes} {row.probes === 1 ? 'time' : 'times'}
        </Member>
        <Member name={<Term word="idempotency key" />}>
          <Id value={row.idempotency_key} />
        </Member>
        {reason_code === null ? null : (
          <Member name="reason">
            <ReasonLink code={reason_code} />
          </Member>
        )}
        <Member name="result">
          {describeMcpError(parseResult(row.result))}
          <Json value={row.result} label="show" />
        </Member>
        <Member name={<Term word="receipt" />}>
          <Json value={row.receipt} label="show" />
        </Member>
      </Members>
      {waits && session.roles.includes('operator') ? (
        <ResolveForm row={row} settled={settled} />
      ) : null}
      {waits && !session.roles.includes('operator') ? (
        <p className="quiet">The role operator is needed to record its outcome.</p>
      ) : null}
      <Json value={row} />
    </article>
  )
}

/** Results are JSON. */
function parseResult(result: unknown): JsonValue {
  return result as JsonValue
}

/** At the first colon: a dfid has none, a step may. */
function splitOnce(id: string): readonly string[] {
  const colon = id.indexOf(':')
  return colon < 0 ? [id] : [id.slice(0, colon), id.slice(colon + 1)]
}
