/** Requests as a table, or in a narrow window as cards: grouped, and selected where several may be decided together. */
import type { ReactNode } from 'react'
import { useKeys } from '../../keys/keys.tsx'
import { type Column, findRowKey, focusRow, type RowOrder, Rows } from '../../parts/rows.tsx'
import { usePlace } from '../../url/location.ts'
import { BatchBar } from './batch/batch-bar.tsx'
import { groupRequests, isSelectable, type ListedRequest, parseGrouping } from './request-groups.ts'
import { GroupBox, SelectBox } from './select-box.tsx'
import { findNextToSelect, type Selection, useSelection } from './use-selection.ts'
import './request-table.css'

export type RequestTableProps<Row extends ListedRequest> = {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** The one that is open. */
  readonly id: string
  readonly order?: RowOrder
  /** Not there any more, though it is on the screen. */
  readonly gone?: ReadonlySet<string>
  /** There are more than are on the screen. */
  readonly more: boolean
  readonly look: () => void
}

const NONE: ReadonlySet<string> = new Set()

export function RequestTable<Row extends ListedRequest>({
  rows,
  columns,
  id,
  order,
  gone = NONE,
  more,
  look,
}: RequestTableProps<Row>): ReactNode {
  const { query } = usePlace()
  const grouping = parseGrouping(query.get('group'))
  const groups = grouping === null ? null : groupRequests(rows, grouping)
  const shown = groups?.flatMap((group) => group.rows) ?? rows
  const mayBeSelected = (row: ListedRequest): boolean => isSelectable(row) && !gone.has(row.id)
  const selection = useSelection(shown.filter(mayBeSelected).map((row) => row.id))
  useSelectionKeys(selection, id)
  const canSelect = selection.selectable.length > 0
  return (
    <>
      <Rows
        label="requests"
        className="request-table"
        rows={shown}
        columns={columns}
        keyOf={(row) => row.id}
        hrefOf={(row) => `/inbox/${encodeURIComponent(row.id)}${location.search}`}
        selected={id}
        {...(order === undefined ? {} : { order })}
        {...(canSelect
          ? {
              lead: {
                head: <GroupBox ids={selection.selectable} name="all" selection={selection} />,
                cell: (row: Row) =>
                  mayBeSelected(row) ? <SelectBox row={row} selection={selection} /> : null,
              },
            }
          : {})}
        {...(groups === null
          ? {}
          : {
              groups: groups.map((group) => ({
                ...group,
                head: (
                  <GroupHead
                    name={group.name}
                    count={group.rows.length}
                    more={more}
                    ids={group.rows.filter(mayBeSelected).map((row) => row.id)}
                    selection={selection}
                  />
                ),
              })),
            })}
      />
      <BatchBar rows={shown} selection={selection} look={look} />
    </>
  )
}

/** The row that has the focus, else the one that is open. */
function useSelectionKeys({ toggle, ids, selectable }: Selection, open: string): void {
  const selectNext = (from: string): void => {
    const id = findNextToSelect(selectable, ids, from)
    if (id === null) return
    toggle(id)
    focusRow(id)
  }
  const getRow = (): string => findRowKey(document.activeElement) ?? open
  useKeys([
    { keys: 'x', does: 'select or unselect', run: () => toggle(getRow()) },
    { keys: 'X', does: 'select up to here', run: () => toggle(getRow(), true) },
    { keys: 'J', does: 'select this row, then the next', run: () => selectNext(getRow()) },
  ])
}

function GroupHead({
  name,
  count,
  more,
  ids,
  selection,
}: {
  readonly name: string
  readonly count: number
  readonly more: boolean
  /** Those of the group that may be selected. */
  readonly ids: readonly string[]
  readonly selection: Selection
}): ReactNode {
  return (
    <span className="request-group">
      {ids.length === 0 ? null : (
        <GroupBox ids={ids} name={`all of ${name}`} selection={selection} />
      )}
      <span>
        {name}{' '}
        <span className="quiet">
          {count}
          {more ? ' so far' : ''}
        </span>
      </span>
    </span>
  )
}
