/** How the list is grouped and sorted; both stand in the address. */
import { type ReactNode, useId } from 'react'
import type { RowOrder } from '../../parts/rows.tsx'
import { changeQuery, useQuery } from '../../url/location.ts'
import { GROUPINGS } from './request-groups.ts'

export type SortChoice = { readonly value: string; readonly label: string }

/** Of the tabs, by what the server calls them. */
export const INBOX_SORTS: readonly SortChoice[] = [
  { value: 'expires', label: 'Least time left' },
  { value: '-amount', label: 'Most at stake' },
  { value: 'amount', label: 'Least at stake' },
  { value: 'requested', label: 'Oldest' },
  { value: '-requested', label: 'Newest' },
]

/** Of the tabs; null: what is over has an order of its own. */
export function createInboxOrder(sort: string | null, usual: string): RowOrder | null {
  if (sort === null) return null
  const change = (next: string): void => changeQuery({ sort: next === usual ? '' : next })
  return { value: sort, usual, change }
}

const GROUP_WORDS = { agent: 'Agent', kind: 'Kind', reason: 'Reason' } as const

export function ListControls({
  sorts,
  order,
}: {
  readonly sorts: readonly SortChoice[]
  /** Null: the order of the list is its own. */
  readonly order: RowOrder | null
}): ReactNode {
  const [group, setGroup] = useQuery('group')
  const isKnown = sorts.some(({ value }) => value === order?.value)
  const id = useId()
  return (
    <div className="list-controls">
      <span>
        <label htmlFor={`${id}group`}>Group</label>
        <select id={`${id}group`} value={group} onChange={(event) => setGroup(event.target.value)}>
          <option value="">None</option>
          {GROUPINGS.map((name) => (
            <option key={name} value={name}>
              {GROUP_WORDS[name]}
            </option>
          ))}
        </select>
      </span>
      {order === null ? null : (
        <span>
          <label htmlFor={`${id}sort`}>Sort</label>
          <select
            id={`${id}sort`}
            value={order.value}
            onChange={(event) => order.change(event.target.value)}
          >
            {isKnown ? null : <option value={order.value}>by the column</option>}
            {sorts.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </span>
      )}
    </div>
  )
}
