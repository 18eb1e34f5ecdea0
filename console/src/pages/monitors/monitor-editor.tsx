/** The file of a monitor in force, and a new one. */
import type { ReactNode } from 'react'
import type { Monitor } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Link } from '../../url/link.tsx'
import { go, replaceQuery } from '../../url/location.ts'
import { MonitorWorkbench } from './monitor-workbench.tsx'

/** No name of a monitor: it has a space. */
export const NEW_MONITOR = 'try one'

const MAY_ACT: readonly string[] = ['ACTIVE', 'ESCALATED']

/** It can be asked of every agent, whatever its effects measure. */
function buildExample(agent: string): string {
  return `api_version: rubicon/v1
kind: Monitor
name: my_monitor
agents: [${agent}]
statistic: {kind: rate, value: status, when: {is: FAILED}, max: "0.10"}
window: {executions: 20}
`
}

export function NewMonitor({ changed }: { readonly changed: () => void }): ReactNode {
  const { reply } = useReply('some agents', (of, signal) => of.listAgents({ query: {}, signal }))
  if (reply.state === 'loading') return <Loading what="agents" shape="detail" />
  const agents = reply.state === 'ready' ? reply.value.agents : []
  const some = agents.find(({ status }) => MAY_ACT.includes(status)) ?? agents[0]
  const agent = some?.agent_id ?? 'AGENT'
  return (
    <article className="monitor-detail stack">
      <h2>New monitor</h2>
      <p className="quiet">
        Write a rule over many executions, and see what it would have done. Nothing takes effect
        until it is deployed.
      </p>
      <MonitorWorkbench
        name={NEW_MONITOR}
        file={null}
        begin={buildExample(agent)}
        look={changed}
        deployed={() => {
          changed()
          go('/monitors')
        }}
      />
    </article>
  )
}

/** `monitor` is as the server has it; its file is asked for by it. */
export function MonitorEditor({
  monitor,
  changed,
}: {
  readonly monitor: Monitor
  readonly changed: () => void
}): ReactNode {
  const { reply, again } = useReply(`file of ${monitor.name}`, (client, signal) =>
    client.checkMonitor({ body: { source: JSON.stringify(monitor) }, signal }),
  )
  useBell(({ kind }) => kind === 'policy', again)
  if (reply.state === 'loading') return <Loading what="the file" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  return (
    <section className="stack" aria-label="edit the monitor">
      <h3 className="row">
        Edit the file
        <Link className="small" href={replaceQuery({ edit: '' })}>
          close
        </Link>
      </h3>
      <MonitorWorkbench
        name={monitor.name}
        file={reply.value.in_force}
        begin=""
        look={again}
        deployed={() => {
          again()
          changed()
        }}
      />
    </section>
  )
}
