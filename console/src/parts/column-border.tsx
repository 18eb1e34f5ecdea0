/** The border between two columns of a table: dragged, or moved by arrow keys; pressed twice, columns are as wide as their words. */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { type ColumnWidths, moveBorder } from './column-widths.ts'
import './column-border.css'

export type BorderProps = {
  readonly head: string
  readonly index: number
  /** As they are on the screen. */
  readonly measure: () => { readonly widths: ColumnWidths; readonly pixels: number }
  /** Null: as wide as their words. */
  readonly change: (widths: ColumnWidths | null) => void
}

const STEP = 2

export function ColumnBorder({ head, index, measure, change }: BorderProps): ReactNode {
  const [percent, setPercent] = useState(0)
  const taken = useRef<{ readonly at: number } & ReturnType<typeof measure>>(null)
  const look = (): void => setPercent(Math.round(measure().widths[index] ?? 0))
  const take = (event: PointerEvent): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    taken.current = { at: event.clientX, ...measure() }
  }
  const handleDrag = ({ buttons, clientX }: PointerEvent): void => {
    if (buttons !== 1 || taken.current === null) return
    const { at, widths, pixels } = taken.current
    change(moveBorder(widths, index, ((clientX - at) / pixels) * 100))
  }
  const nudge = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') change(null)
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const moved = moveBorder(measure().widths, index, by)
    setPercent(Math.round(moved[index] ?? 0))
    change(moved)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged
    <span
      className="column-border"
      role="separator"
      aria-orientation="vertical"
      aria-label={`width of ${head}`}
      aria-valuenow={percent}
      title="Drag to resize; double-click for the default widths"
      tabIndex={0}
      onFocus={look}
      onPointerDown={take}
      onPointerMove={handleDrag}
      onPointerUp={look}
      onDoubleClick={() => change(null)}
      onKeyDown={nudge}
    />
  )
}
