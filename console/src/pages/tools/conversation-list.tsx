/** The latest calls of the gateway's clients, by the conversation that they belong to. */
import type { ReactNode } from 'react'
import type { FlowSummary } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Table } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'
import { toConversationPath } from '../../url/conversation-path.ts'
import { Link } from '../../url/link.tsx'
import { listConversations } from './list-conversations.ts'

const LOOKED_AT = 100

export function ConversationList({ agent }: { readonly agent: string }): ReactNode {
  const { reply, again } = useReply(`conversations ${agent}`, (client, signal) =>
    client.listFlows({ query: { agent, limit: String(LOOKED_AT) }, signal }),
  )
  useBell(({ kind }) => kind === 'writ', again)
  if (reply.state !== 'ready') return null
  const flows: readonly FlowSummary[] = reply.value.flows
  const rows = listConversations(flows)
  if (rows.length === 0) return null
  return (
    <section className="stack tools-servers" aria-label="conversations">
      <Table
        label="conversations"
        columns={[
          'conversation',
          { name: 'calls', is: 'number' },
          { name: 'waiting', is: 'number' },
          'latest',
        ]}
      >
        <tbody>
          {rows.map(({ conversation, calls, waiting, latest }) => (
            <tr key={conversation}>
              <td className="wrap">
                <Link href={toConversationPath(agent, conversation)}>{conversation}</Link>
              </td>
              <td className="number">{calls}</td>
              <td className="number">{waiting}</td>
              <td>
                <When at={latest} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="quiet small">
        Of the last {flows.length} flows of {agent}.
      </p>
    </section>
  )
}
