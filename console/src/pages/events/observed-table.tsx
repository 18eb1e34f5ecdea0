/** What was observed, with its value as long as the shared reading of State is kept. */
import type { ReactNode } from 'react'
import type { EventAccount } from 'rubicon-agents/client'
import { Id } from '../../parts/id.tsx'
import { Table } from '../../parts/table.tsx'
import { Value } from '../../parts/value.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { describeSource } from './event-words.ts'

export function ObservedTable({
  event: { observations, state, state_snapshot_id },
}: {
  readonly event: EventAccount
}): ReactNode {
  const values = new Map(state?.facts.map(({ path, value }) => [path, value]))
  const seen = state?.facts.filter(({ path }) => !observations.some((one) => one.path === path))
  return (
    <>
      <Table
        className="event-table"
        label="observations"
        columns={['path', 'value', 'source', { name: 'hash', is: 'wide' }]}
      >
        <tbody>
          {observations.map(({ path, source, label, value_hash }) => (
            <tr key={path}>
              <td className="wrap">{toVisibleText(path)}</td>
              <td className="wrap">
                {values.has(path) ? (
                  <Value value={values.get(path)} />
                ) : (
                  <span className="quiet">in its flows</span>
                )}
              </td>
              <td className="wrap">{describeSource(source, label)}</td>
              <td className="rows-wide">
                <Id value={value_hash} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="row small">
        <span>All agents that it woke are shown State as it was then</span>
        <Id value={state_snapshot_id} />
        {state === null ? <span className="quiet">kept in their flows</span> : null}
      </p>
      {seen === undefined || seen.length === 0 ? null : (
        <Table
          className="event-table"
          label="State that they share"
          columns={['also seen', 'value', 'observed']}
        >
          <tbody>
            {seen.map(({ path, value, observed_at }) => (
              <tr key={path}>
                <td className="wrap">{toVisibleText(path)}</td>
                <td className="wrap">
                  <Value value={value} />
                </td>
                <td>
                  <When at={observed_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {state === null || state.left_off === 0 ? null : (
        <p className="quiet small">{state.left_off} more values are in their flows.</p>
      )}
    </>
  )
}
