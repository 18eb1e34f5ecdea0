/** A table of the page: with heads above it where there is room, and line by line where there is not. */
import type { ReactNode } from 'react'
import { buildLineLabels } from './line-labels.ts'
import './lines.css'

/** How a column is set: figures to the right; `wide` gives way in a narrow window; `bare` needs no head in the hand. */
type HeadColumn = string | { readonly name: string; readonly is: 'number' | 'wide' | 'bare' }

const CLASSES = { number: 'number', wide: 'rows-wide', bare: undefined } as const

export function Table({
  label,
  columns,
  hasAction = false,
  className = '',
  children,
}: {
  readonly label?: string
  readonly columns: readonly HeadColumn[]
  /** The last column has buttons: it is named for those who hear it. */
  readonly hasAction?: boolean
  readonly className?: string
  /** Its body. */
  readonly children: ReactNode
}): ReactNode {
  const heads = columns.map(readColumn)
  return (
    <div className="lines-room">
      <table
        className={`lines ${className}`}
        aria-label={label}
        style={buildLineLabels(heads.map(({ name, isBare }) => (isBare ? null : name)))}
      >
        <thead>
          <tr>
            {heads.map(({ name, className }) => (
              <th key={name} scope="col" className={className}>
                {name}
              </th>
            ))}
            {hasAction ? (
              <th scope="col">
                <span className="unseen">action</span>
              </th>
            ) : null}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  )
}

type Head = {
  readonly name: string
  readonly className?: string | undefined
  readonly isBare: boolean
}

function readColumn(column: HeadColumn): Head {
  if (typeof column === 'string') return { name: column, isBare: false }
  return { name: column.name, className: CLASSES[column.is], isBare: column.is === 'bare' }
}
