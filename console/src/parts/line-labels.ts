/**
 * Where there is little room a row is a line or a few (`lines.css`), and each cell says its head itself. The heads are given to the
 * table as custom properties, by the place of their cell: cells need not know them. A first cell needs none.
 */
import type { CSSProperties } from 'react'

/** Null: the cell says by itself what it is. `before`: how many cells stand before the first head's. */
export function buildLineLabels(heads: readonly (string | null)[], before = 0): CSSProperties {
  const labels = heads.flatMap((head, index) =>
    index === 0 || head === null
      ? []
      : [[`--head-${index + before + 1}`, JSON.stringify(head)] as const],
  )
  return Object.fromEntries(labels) as CSSProperties
}
