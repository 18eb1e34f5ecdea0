/** The servers behind the gateway: whether they run, and what they complained of. */
import type { ReactNode } from 'react'
import type { McpServer, McpServers } from 'rubicon-agents/client'
import { getServerStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { Link } from '../../url/link.tsx'

const ASKED = { standing: 'waiting', word: 'being asked' } as const

/** `isAsking`: their tools are being asked for, which starts those that do not run. */
export function ServerTable({
  servers,
  isAsking,
}: {
  readonly servers: McpServers
  readonly isAsking: boolean
}): ReactNode {
  const { agent, servers: rows } = servers
  return (
    <section className="stack tools-servers" aria-label="servers">
      <Table
        label="servers"
        columns={[
          'server',
          'state',
          { name: 'at', is: 'wide' },
          { name: 'restarts', is: 'number' },
        ]}
      >
        <tbody>
          {rows.map(({ server, status, at, restarts }) => (
            <tr key={server}>
              <td>{server}</td>
              <td>
                <Status
                  {...(isAsking && status === 'absent' ? ASKED : getServerStanding(status))}
                />
              </td>
              <td className="rows-wide mono wrap">{toVisibleText(at)}</td>
              <td className="number">{restarts}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {rows.map((row) => (
        <ErrorLines key={row.server} row={row} />
      ))}
      {agent === null ? null : (
        <p className="quiet small">
          Clients on this machine call as{' '}
          <Link href={`/agents/${encodeURIComponent(agent)}`}>{agent}</Link>.
        </p>
      )}
    </section>
  )
}

function ErrorLines({ row: { server, errors } }: { readonly row: McpServer }): ReactNode {
  if (errors.length === 0) return null
  return (
    <details>
      <summary>The last lines that {server} wrote to its standard error</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre className="tools-errors" tabIndex={0}>
        {errors.map(toVisibleText).join('\n')}
      </pre>
    </details>
  )
}
