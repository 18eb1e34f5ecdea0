/**
 * A list of rows that are walked by `j` and `k` and opened by enter. New rows gather behind a button
 * and never push what is being read.
 */
import { type ReactNode, useRef } from 'react'
import { useKeys } from '../keys/keys.tsx'
import { Link } from '../url/link.tsx'
import './rows.css'

export type Column<T> = {
  readonly head: string
  readonly cell: (row: T) => ReactNode
  readonly number?: true | undefined
  /** Left out where the window is narrow. */
  readonly wide?: true | undefined
}

export type RowsProps<T> = {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  readonly hrefOf: (row: T) => string
  /** The row that is open. */
  readonly selected?: string
}

export function Rows<T>({
  label,
  rows,
  columns,
  keyOf,
  hrefOf,
  selected,
}: RowsProps<T>): ReactNode {
  const table = useRef<HTMLTableElement>(null)
  const walk = (by: 1 | -1): void => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('a.rows-link') ?? [])]
    const at = links.findIndex((link) => link.matches(':focus'))
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
  return (
    <table className="rows" ref={table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ head, number, wide }) => (
            <th key={head} scope="col" className={formatClasses({ number, wide })}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={keyOf(row) === selected ? 'rows-selected' : ''}>
            {columns.map(({ head, cell, number, wide }, index) => (
              <td key={head} className={formatClasses({ number, wide })}>
                {index === 0 ? (
                  <Link
                    className="rows-link"
                    href={hrefOf(row)}
                    {...(keyOf(row) === selected ? { 'aria-current': true } : {})}
                  >
                    {cell(row)}
                  </Link>
                ) : (
                  cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

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

function formatClasses({ number, wide }: Pick<Column<never>, 'number' | 'wide'>): string {
  return `${number === true ? 'number' : ''} ${wide === true ? 'rows-wide' : ''}`.trim()
}
