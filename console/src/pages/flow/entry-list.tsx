import type { ReactNode } from 'react'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Table } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'
import type { FlowEntry } from './story-parts.ts'

/** The entries themselves. */
export function EntryList({
  entries,
  linked,
}: {
  readonly entries: readonly FlowEntry[]
  /** Whether there is a ledger page that has them. */
  readonly linked: boolean
}): ReactNode {
  return (
    <Table label="ledger entries" columns={['place', 'kind', 'at', 'id', 'payload']}>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="mono">
              {entry.trajectory}/{entry.seq}
            </td>
            <td>{entry.kind}</td>
            <td>
              <When at={entry.at} />
            </td>
            <td>
              {linked && entry.leaf !== null ? (
                <Id value={entry.id} href={`/ledger/${entry.leaf}`} />
              ) : (
                <Id value={entry.id} />
              )}
            </td>
            <td>
              <Json value={entry.payload} label="show" />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
