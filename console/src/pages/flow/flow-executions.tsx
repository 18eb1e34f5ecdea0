import type { ReactNode } from 'react'
import type { GetFlowReply } from 'rubicon-agents/client'
import { getExecutionStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'

/** What a flow of several effects sent to the outside; a single one stands with its attempt. */
export function FlowExecutions({ executions }: Pick<GetFlowReply, 'executions'>): ReactNode {
  if (executions.length < 2) return null
  return (
    <section>
      <h2>Effects</h2>
      <Table
        label="effects"
        columns={['step', 'kind', 'status', { name: 'sent', is: 'number' }, 'last sent']}
      >
        <tbody>
          {executions.map(({ dfid, step_id, policy_kind, status, sends, last_sent_at }) => (
            <tr key={step_id}>
              <td className="mono">
                <Link href={`/executions/${dfid}:${step_id}`}>{step_id}</Link>
              </td>
              <td>{policy_kind}</td>
              <td>
                <Status {...getExecutionStanding(status)} />
              </td>
              <td className="number">{sends}</td>
              <td>
                <When at={last_sent_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}
