/** Actions that are no tools of an MCP server: their class, and what agents made of them lately. */
import type { ReactNode } from 'react'
import { useBell } from '../../api/live.tsx'
import { useLookAgain } from '../../api/use-look-again.ts'
import { useReply } from '../../api/use-reply.ts'
import { EffectClass } from '../../parts/effect-class.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Table } from '../../parts/table.tsx'
import { Link } from '../../url/link.tsx'
import { countByAction } from './action-counts.ts'
import { describeRisk } from './tool-words.ts'

/** Every decision is read with its flow: few are asked for, and not after each that comes. */
const COUNTED = '50'
const LOOK_MS = 30_000
const OF_MCP = 'mcp.'

export function ActionTable(): ReactNode {
  const law = useReply('law', (client, signal) => client.getLaw({ signal }))
  const decided = useReply('decisions of actions', (client, signal) =>
    client.listDecisions({ query: { limit: COUNTED }, signal }),
  )
  useLookAgain(decided.again, LOOK_MS)
  useBell(({ kind }) => kind === 'policy', law.again)
  for (const { reply, again } of [law, decided])
    if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  if (law.reply.state !== 'ready' || decided.reply.state !== 'ready')
    return <Loading what="actions" />
  const { decisions } = decided.reply.value
  const find = countByAction(decisions)
  const actions = law.reply.value.capabilities.filter(({ kind }) => !kind.startsWith(OF_MCP))
  return (
    <section className="stack tools-actions" aria-label="actions">
      <h2>Actions of the rules</h2>
      <Table
        label="actions"
        columns={[
          'action',
          'class',
          { name: 'accepted', is: 'number' },
          { name: 'rejected', is: 'number' },
          { name: 'asked', is: 'number' },
        ]}
      >
        <tbody>
          {actions.map(({ kind, effect, reversible, risk }) => {
            const { accepted, rejected, escalated } = find(kind)
            return (
              <tr key={kind}>
                <td>
                  <Link href={`/flows?kind=${encodeURIComponent(kind)}`}>{kind}</Link>
                </td>
                <td>
                  <EffectClass effect={effect} />, {describeRisk({ effect, reversible, risk })}
                </td>
                <td className="number">{accepted}</td>
                <td className="number">{rejected}</td>
                <td className="number">{escalated}</td>
              </tr>
            )
          })}
        </tbody>
      </Table>
      <p className="quiet small">
        Decisions are counted among the last {decisions.length}. What an action may do is in{' '}
        <Link href="/policies">Policies</Link>.
      </p>
    </section>
  )
}
