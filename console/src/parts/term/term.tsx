/**
 * A word of the protocol: its meaning on hover and focus, and its entry in the glossary one step away. Escape hides the
 * meaning; it stays while the pointer is on it.
 */
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatTermAnchor, TERMS, type TermWord } from './terms.ts'
import './term.css'

/** From the edges of the window. */
const MARGIN = 8

export function Term({
  word,
  children = word,
}: {
  readonly word: TermWord
  /** As it is written here. */
  readonly children?: ReactNode
}): ReactNode {
  const [shown, setShown] = useState(false)
  const id = useId()
  const tip = useRef<HTMLSpanElement>(null)
  const place = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    if (!shown || tip.current === null || place.current === null) return
    const at = place.current.getBoundingClientRect()
    const { width, height } = tip.current.getBoundingClientRect()
    const left = Math.max(MARGIN, Math.min(at.left, window.innerWidth - width - MARGIN))
    const isBelow = at.bottom + height + MARGIN < window.innerHeight
    tip.current.style.left = `${left}px`
    tip.current.style.top = `${isBelow ? at.bottom : Math.max(MARGIN, at.top - height)}px`
  }, [shown])
  const hide = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !shown) return
    event.stopPropagation()
    setShown(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is inside can be focused, and shows the same.
    <span
      className="term"
      onMouseEnter={() => setShown(true)}
      onMouseLeave={() => setShown(false)}
      onFocus={() => setShown(true)}
      onBlur={() => setShown(false)}
      onKeyDown={hide}
    >
      <a
        className="term-word"
        ref={place}
        href={`/docs/glossary#${formatTermAnchor(word)}`}
        {...(shown ? { 'aria-describedby': id } : {})}
      >
        {children}
      </a>
      {shown ? (
        <span className="term-tip" role="tooltip" id={id} ref={tip}>
          {TERMS[word]}
        </span>
      ) : null}
    </span>
  )
}
