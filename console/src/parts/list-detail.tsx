/**
 * Left the list, right what was opened from it. The divider moves by mouse and by arrow keys. Where the window is narrow,
 * what was opened is the whole page, with a way back to the list.
 */
import ChevronLeft from 'lucide-react/icons/chevron-left'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { readChoice, writeChoice } from '../choice.ts'
import { Link } from '../url/link.tsx'
import { usePlace } from '../url/location.ts'
import { getPagePath, PAGES, parsePage } from '../url/pages.ts'
import './list-detail.css'

const LEAST = 20
/** In pixels: below it words of a row are cut off, however it is set. */
const LEAST_LIST = 280
const MOST = 75
const USUAL = 45
const STEP = 2

export function ListDetail({
  list,
  detail,
}: {
  readonly list: ReactNode
  /** Null: nothing is opened. */
  readonly detail: ReactNode | null
}): ReactNode {
  const both = useRef<HTMLDivElement>(null)
  const [percent, setPercent] = useState(() => clampPercent(Number(readChoice('divider') ?? USUAL)))
  const move = (to: number): void => {
    setPercent(clampPercent(to))
    writeChoice('divider', String(clampPercent(to)))
  }
  const handleDrag = ({ buttons, clientX }: PointerEvent): void => {
    const box = both.current?.getBoundingClientRect()
    if (buttons === 1 && box !== undefined) move(((clientX - box.left) / box.width) * 100)
  }
  const handleNudge = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (by === undefined) return
    event.preventDefault()
    move(percent + by)
  }
  if (detail === null) return <div className="list-detail-alone">{list}</div>
  return (
    <div className="list-detail" ref={both} style={{ gridTemplateColumns: formatColumns(percent) }}>
      <div className="list-detail-list">{list}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged */}
      <div
        className="list-detail-divider"
        role="separator"
        aria-orientation="vertical"
        aria-label="width of the list"
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        aria-valuenow={Math.round(percent)}
        tabIndex={0}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={handleDrag}
        onKeyDown={handleNudge}
      />
      <section className="list-detail-detail" aria-label="detail">
        <BackToList />
        {detail}
      </section>
    </div>
  )
}

/** Seen where the list is not. */
function BackToList(): ReactNode {
  const { path, query } = usePlace()
  const { page } = parsePage(path)
  if (page === null) return null
  const text = query.toString()
  return (
    <Link
      className="list-detail-back"
      href={`${getPagePath(page)}${text === '' ? '' : `?${text}`}`}
    >
      <ChevronLeft className="icon" aria-hidden="true" /> {PAGES[page].title}
    </Link>
  )
}

function formatColumns(percent: number): string {
  return `minmax(${LEAST_LIST}px, ${percent}fr) 7px minmax(0, ${100 - percent}fr)`
}

function clampPercent(percent: number): number {
  return Number.isFinite(percent) ? Math.min(MOST, Math.max(LEAST, percent)) : USUAL
}
