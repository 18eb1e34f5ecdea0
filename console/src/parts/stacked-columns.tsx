/**
 * Counts over time by outcome: columns whose parts are stacked in one order, axes with round numbers, the totals named.
 * Each column is a link. A part is told by its place, its pattern and the words of its column, not by colour alone.
 */
import type { CSSProperties, ReactNode } from 'react'
import { Link } from '../url/link.tsx'
import { formatAmount } from './amount.ts'
import { chooseAxisLabels } from './axis-labels.ts'
import { computeTicks } from './axis-ticks.ts'
import { type Standing, Status } from './status.tsx'
import './stacked-columns.css'

export type ColumnSeries = {
  readonly standing: Standing
  readonly word: string
  /** Where it is not the sum of the columns: something may be counted in several of them. */
  readonly total?: number
  /** The list behind the total. */
  readonly href?: string
}

export type StackedColumn = {
  /** When: `14:00`. */
  readonly label: string
  /** When it begins on the reader's clock: `2026-11-03 14:00`. */
  readonly wall: string
  /** The list behind it; null: nothing is. */
  readonly href: string | null
  /** As many as there are series, in their order. */
  readonly counts: readonly number[]
}

export function StackedColumns({
  label,
  series,
  columns,
}: {
  readonly label: string
  /** From the bottom up. */
  readonly series: readonly ColumnSeries[]
  readonly columns: readonly StackedColumn[]
}): ReactNode {
  const ticks = computeTicks(Math.max(0, ...columns.map(({ counts }) => sumCounts(counts))))
  const top = ticks.at(-1) ?? 1
  return (
    <figure className="columns" aria-label={label}>
      <figcaption className="row">
        {series.map((one, index) => (
          <Total
            key={one.word}
            series={one}
            total={one.total ?? sumCounts(columns.map(({ counts }) => counts[index] ?? 0))}
          />
        ))}
      </figcaption>
      <div className="columns-plot">
        {ticks.map((tick) => (
          <span
            key={tick}
            className="columns-tick"
            style={{ bottom: `${(100 * tick) / top}%` }}
            aria-hidden="true"
          >
            {tick}
          </span>
        ))}
        <ol className="columns-bars">
          {columns.map((column) => (
            <li key={column.label}>
              <Column column={column} series={series} top={top} />
            </li>
          ))}
        </ol>
      </div>
      <div className="columns-axis" aria-hidden="true">
        {chooseAxisLabels(columns.map(({ wall }) => wall)).map(({ index, text, coarse }) => (
          <span
            key={index}
            className={coarse ? '' : 'columns-fine'}
            style={{ '--at': `${(100 * (index + 0.5)) / columns.length}%` } as CSSProperties}
          >
            {text}
          </span>
        ))}
      </div>
    </figure>
  )
}

function Total({
  series: { standing, word, href },
  total,
}: {
  readonly series: ColumnSeries
  readonly total: number
}): ReactNode {
  const status = <Status standing={standing} word={`${formatAmount(String(total))} ${word}`} />
  return href === undefined ? status : <Link href={href}>{status}</Link>
}

function Column({
  column: { label, href, counts },
  series,
  top,
}: {
  readonly column: StackedColumn
  readonly series: readonly ColumnSeries[]
  readonly top: number
}): ReactNode {
  const words = series.map(({ word }, index) => `${counts[index] ?? 0} ${word}`).join(', ')
  const parts = series.map(({ standing, word }, index) => (
    <span
      key={word}
      className={`columns-part columns-${standing}`}
      style={{ height: `${(100 * (counts[index] ?? 0)) / top}%` }}
    />
  ))
  const said = `${label}: ${words}`
  if (href === null)
    return (
      <span className="columns-bar" title={said}>
        <span className="unseen">{said}</span>
        {parts}
      </span>
    )
  return (
    <Link className="columns-bar" href={href} title={said} aria-label={said}>
      {parts}
    </Link>
  )
}

function sumCounts(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
