import { type RefObject, useState } from 'react'
import { readChoice, writeChoice } from '../choice.ts'
import type { BorderProps } from './column-border.tsx'
import { type ColumnWidths, findWidths, keepWidths } from './column-widths.ts'

export type ColumnSizes = {
  /** Null: as wide as their words. */
  readonly widths: ColumnWidths | null
} & Pick<BorderProps, 'measure' | 'change'>

/** Of the table with that label and those heads: another choice of columns has widths of its own. */
export function useColumnWidths(
  label: string,
  heads: readonly string[],
  table: RefObject<HTMLTableElement | null>,
): ColumnSizes {
  const name = `${label}: ${heads.join(', ')}`
  const [kept, setKept] = useState(() => readChoice('columns'))
  const change = (widths: ColumnWidths | null): void => {
    // Another table may have been changed since.
    const text = keepWidths(readChoice('columns') ?? kept, name, widths)
    writeChoice('columns', text)
    setKept(text)
  }
  const measure = (): ReturnType<BorderProps['measure']> => {
    const found = [...(table.current?.querySelectorAll('thead th') ?? [])]
    // Of all of it: what stands before the first column keeps the rest.
    const pixels = Math.max(1, table.current?.getBoundingClientRect().width ?? 1)
    const widths = found.map((head) => (head.getBoundingClientRect().width / pixels) * 100)
    return { widths, pixels }
  }
  return { widths: findWidths(kept, name, heads.length), measure, change }
}
