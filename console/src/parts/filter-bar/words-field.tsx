import Search from 'lucide-react/icons/search'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'

/** Somebody who types pauses for as long as this between words, not between letters. */
const PAUSE_MS = 300

/** Words to search for: asked for by enter, or when nobody has typed for a moment. */
export function WordsField({
  label,
  text,
  change,
}: {
  readonly label: string
  readonly text: string
  readonly change: (text: string) => void
}): ReactNode {
  const [typed, setTyped] = useState(text)
  const latest = useRef(change)
  latest.current = change
  useEffect(() => setTyped(text), [text])
  useEffect(() => {
    if (typed.trim() === text) return
    const timer = setTimeout(() => latest.current(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, text])
  const send = (event: FormEvent): void => {
    event.preventDefault()
    change(typed.trim())
  }
  return (
    <form className="filter-words" onSubmit={send}>
      <Search className="icon" aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  )
}
