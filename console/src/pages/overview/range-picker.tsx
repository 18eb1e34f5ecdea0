import type { ReactNode } from 'react'
import { Link } from '../../url/link.tsx'
import { replaceQuery } from '../../url/location.ts'
import { RANGES, type RangeName, USUAL_RANGE } from './range.ts'

/** Links: which span is shown stands in the address. */
export function RangePicker({ value }: { readonly value: RangeName }): ReactNode {
  return (
    <nav className="range-picker" aria-label="time range">
      {RANGES.map((range) => (
        <Link
          key={range.value}
          href={replaceQuery({ range: range.value === USUAL_RANGE ? '' : range.value })}
          replace
          {...(range.value === value ? { 'aria-current': 'true' as const } : {})}
        >
          {range.label}
        </Link>
      ))}
    </nav>
  )
}
