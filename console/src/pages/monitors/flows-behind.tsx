/** The flows behind a point of the chart. */
import type { ReactNode } from 'react'
import { useReply } from '../../api/use-reply.ts'
import { Id } from '../../parts/id.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Link } from '../../url/link.tsx'

export function FlowsBehind({
  name,
  agent,
  leaf,
}: {
  readonly name: string
  readonly agent: string
  readonly leaf: string
}): ReactNode {
  const { reply, again } = useReply(`behind ${name} ${agent} ${leaf}`, (client, signal) =>
    client.listFlowsBehind({ params: { name }, query: { agent, leaf }, signal }),
  )
  return (
    <section className="stack" aria-label="flows behind the point">
      <h3 className="row">
        Flows behind the point at entry {leaf}
        <Link className="small" href={`/flows?agent=${encodeURIComponent(agent)}`}>
          all flows of {agent}
        </Link>
      </h3>
      {reply.state === 'loading' ? <Loading what="flows" shape="lines" /> : null}
      {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
      {reply.state === 'ready' && reply.value.flows.length === 0 ? (
        <p className="quiet">No single execution explains this value.</p>
      ) : null}
      {reply.state === 'ready' ? (
        <ul className="row">
          {reply.value.flows.map((dfid) => (
            <li key={dfid}>
              <Id value={dfid} href={`/flows/${dfid}`} />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
