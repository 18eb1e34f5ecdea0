import type { ReactNode } from 'react'

/** How a column is set: figures to the right; `wide` gives way in a narrow window. */
type HeadColumn = string | { readonly name: string; readonly is: 'number' | 'wide' }

const CLASSES = { number: 'number', wide: 'rows-wide' } as const

export function TableHead({
  columns,
  hasAction = false,
}: {
  readonly columns: readonly HeadColumn[]
  /** The last column has buttons: it is named for those who hear it. */
  readonly hasAction?: boolean
}): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const { name, className } = readColumn(column)
          return (
            <th key={name} scope="col" className={className}>
              {name}
            </th>
          )
        })}
        {hasAction ? (
          <th scope="col">
            <span className="unseen">action</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

function readColumn(column: HeadColumn): { readonly name: string; readonly className?: string } {
  if (typeof column === 'string') return { name: column }
  return { name: column.name, className: CLASSES[column.is] }
}
