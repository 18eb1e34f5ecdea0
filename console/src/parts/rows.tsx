/**
 * A list of rows that are walked by `j` and `k` and opened by enter. New rows gather behind a button
 * and never push what is being read.
 */
import { type CSSProperties, type ReactNode, useRef } from 'react'
import { useKeys } from '../keys/keys.tsx'
import { Link } from '../url/link.tsx'
import { ColumnBorder } from './column-border.tsx'
import { buildLineLabels } from './line-labels.ts'
import { describeSort, toggleSort } from './sort-step.ts'
import { type ColumnSizes, useColumnWidths } from './use-column-widths.ts'
import './rows.css'
import './lines.css'

export type Column<T> = {
  readonly head: string
  readonly cell: (row: T) => ReactNode
  readonly number?: true | undefined
  /** Left out where a table has no room for it. */
  readonly wide?: true | undefined
  /** One line, as wide as that share of the table in percent; the whole text is told to whoever points at it. */
  readonly cut?: { readonly share: number; readonly text: (row: T) => string } | undefined
  /** The order that its head asks for, as the server reads it. */
  readonly sort?: string | undefined
  /** Where rows are read line by line, and each cell says its head: beside the first one; without its head; not at all. */
  readonly hand?: 'corner' | 'bare' | 'none' | undefined
}

/** In which order the rows are, and how to ask for another one. */
export type RowOrder = {
  readonly value: string
  readonly usual: string
  readonly change: (sort: string) => void
}

export type RowsProps<T> = {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  readonly hrefOf: (row: T) => string
  /** The row that is open. */
  readonly selected?: string
  readonly order?: RowOrder
  readonly className?: string
  /** Before the first column: what is done with a row as a whole. */
  readonly lead?: { readonly head: ReactNode; readonly cell: (row: T) => ReactNode }
  /** The same rows in groups, each below its head. */
  readonly groups?: readonly RowGroup<T>[]
}

export type RowGroup<T> = {
  readonly name: string
  readonly head: ReactNode
  readonly rows: readonly T[]
}

export function Rows<T>(props: RowsProps<T>): ReactNode {
  const { label, rows, columns, order, className = '', lead, groups } = props
  const table = useRef<HTMLTableElement>(null)
  const heads = columns.map(({ head }) => head)
  const sizes = useColumnWidths(label, heads, table)
  const walk = (by: 1 | -1): void => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('a.rows-link') ?? [])]
    const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
    const open = links.findIndex((link) => link.ariaCurrent === 'true')
    const from = at >= 0 ? at : open
    const next = links[Math.min(links.length - 1, Math.max(0, from < 0 ? 0 : from + by))]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  useKeys([
    { keys: 'j', does: 'next row', run: () => walk(1) },
    { keys: 'k', does: 'previous row', run: () => walk(-1) },
  ])
  const before = lead === undefined ? 0 : 1
  const span = columns.length + before
  const said = columns.map(({ head, hand }) => (hand === undefined ? head : null))
  return (
    <div className="lines-room">
      <table
        className={`rows lines ${sizes.widths === null ? '' : 'rows-sized'} ${className}`}
        ref={table}
        style={buildLineLabels(said, before)}
        aria-label={label}
      >
        <thead>
          <tr>
            {lead === undefined ? null : <td className="rows-lead">{lead.head}</td>}
            {columns.map((column, index) => (
              <Head
                key={column.head}
                column={column}
                order={order}
                sizes={sizes}
                index={index}
                isLast={index === columns.length - 1}
              />
            ))}
          </tr>
        </thead>
        {groups === undefined ? (
          <tbody>
            {rows.map((row) => (
              <Row key={props.keyOf(row)} row={row} {...props} />
            ))}
          </tbody>
        ) : (
          groups.map(({ name, head, rows: members }) => (
            <tbody key={name}>
              <tr className="rows-group">
                <th scope="rowgroup" colSpan={span}>
                  {head}
                </th>
              </tr>
              {members.map((row) => (
                <Row key={props.keyOf(row)} row={row} {...props} />
              ))}
            </tbody>
          ))
        )}
      </table>
    </div>
  )
}

/** The row that something stands in, by its key; undefined: in none. */
export function findRowKey(element: Element | null): string | undefined {
  return element?.closest<HTMLElement>('tr[data-row]')?.dataset.row
}

/** The row of that key; nothing where it is not on the screen. */
export function focusRow(key: string): void {
  const row = document.querySelector(`tr[data-row="${CSS.escape(key)}"]`)
  const link = row?.querySelector<HTMLElement>('a.rows-link')
  link?.focus()
  link?.scrollIntoView({ block: 'nearest' })
}

function Row<T>({
  row,
  columns,
  keyOf,
  hrefOf,
  selected,
  lead,
}: RowsProps<T> & { readonly row: T }): ReactNode {
  const key = keyOf(row)
  return (
    <tr data-row={key} className={key === selected ? 'rows-selected' : ''}>
      {lead === undefined ? null : <td className="rows-lead">{lead.cell(row)}</td>}
      {columns.map(({ head, cell, number, wide, cut, hand }, index) => (
        <td
          key={head}
          className={formatClasses({ number, wide, cut, hand })}
          title={cut?.text(row)}
        >
          {index === 0 ? (
            <Link
              className="rows-link"
              href={hrefOf(row)}
              {...(key === selected ? { 'aria-current': true } : {})}
            >
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}

function Head<T>({
  column: { head, number, wide, sort, cut },
  order,
  sizes,
  index,
  isLast,
}: {
  readonly column: Column<T>
  readonly order: RowOrder | undefined
  readonly sizes: ColumnSizes
  readonly index: number
  readonly isLast: boolean
}): ReactNode {
  const sorted = order === undefined || sort === undefined ? null : { order, sort }
  const way = sorted === null ? null : describeSort(sorted.order.value, sorted.sort)
  const width = sizes.widths?.[index]
  const style = {
    ...(cut === undefined ? {} : { '--share': `${cut.share}%` }),
    ...(width === undefined ? {} : { '--width': `${width}%` }),
  } as CSSProperties
  return (
    // Without its border, which has a name of its own.
    <th
      scope="col"
      className={formatClasses({ number, wide, cut })}
      aria-label={head}
      style={style}
      {...(way === null ? {} : { 'aria-sort': way })}
    >
      {sorted === null || way === null ? (
        head
      ) : (
        <button
          type="button"
          className="rows-sort"
          onClick={() =>
            sorted.order.change(toggleSort(sorted.order.value, sorted.sort, sorted.order.usual))
          }
        >
          {head}
          <span className="rows-way" aria-hidden="true">
            {WAYS[way]}
          </span>
        </button>
      )}
      {isLast ? null : <ColumnBorder head={head} index={index} {...sizes} />}
    </th>
  )
}

const WAYS = { ascending: '↑', descending: '↓', none: '' } as const

/** What came while somebody was reading. */
export function NewRows({
  count,
  show,
}: {
  readonly count: number
  readonly show: () => void
}): ReactNode {
  return (
    <div className="rows-new" aria-live="polite">
      {count === 0 ? null : (
        <button type="button" onClick={show}>
          {count} new
        </button>
      )}
    </div>
  )
}

export function MoreRows({
  next,
  more,
}: {
  readonly next: string | null
  readonly more: () => void
}): ReactNode {
  if (next === null) return null
  return (
    <p className="rows-more">
      <button type="button" onClick={more}>
        Older
      </button>
    </p>
  )
}

function formatClasses<T>({
  number,
  wide,
  cut,
  hand,
}: Pick<Column<T>, 'number' | 'wide' | 'cut' | 'hand'>): string {
  const names = [
    ...(number === true ? ['number'] : []),
    ...(wide === true ? ['rows-wide'] : []),
    ...(cut === undefined ? [] : ['rows-cut']),
    ...(hand === undefined ? [] : [`hand-${hand}`]),
  ]
  return names.join(' ')
}
