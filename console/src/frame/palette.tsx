/** To a page by its name, or to a flow, an agent or an entry by its id. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { go } from '../url/location.ts'
import { listDestinations } from './destinations.ts'
import './palette.css'

export function Palette({
  open,
  close,
}: {
  readonly open: boolean
  readonly close: () => void
}): ReactNode {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = listDestinations(text)
  const leave = (): void => {
    setText('')
    setAt(0)
    close()
  }
  const follow = (event: FormEvent): void => {
    event.preventDefault()
    const chosen = found[at] ?? found[0]
    if (chosen === undefined) return
    leave()
    go(chosen.href)
  }
  const walk = (key: string): boolean => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (by === undefined || found.length === 0) return false
    setAt((before) => (before + by + found.length) % found.length)
    return true
  }
  return (
    <Dialog title="Find or do" open={open} close={leave}>
      <form onSubmit={follow}>
        <input
          className="palette-input"
          aria-label="a page, or the id of a flow, an agent, an entry"
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            if (walk(event.key)) event.preventDefault()
          }}
        />
        <ul className="palette-found">
          {found.map(({ label, hint, href }, index) => (
            <li key={href} className={index === at ? 'palette-at' : ''}>
              {label} <span className="quiet">{hint}</span>
            </li>
          ))}
        </ul>
        {found.length > 0 ? null : (
          <p>
            No match. Type the name of a page or an agent, the id of a flow, or the number of an
            entry.
          </p>
        )}
        <p className="quiet small">
          <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>enter</kbd> go
        </p>
      </form>
    </Dialog>
  )
}
