import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { toVisibleText } from '../../parts/visible-text.ts'
import type { ListedRequest } from './request-groups.ts'
import { MOST_SELECTED, type Selection } from './use-selection.ts'

/** Selects one request; with shift all up to it. */
export function SelectBox({
  row: { id, action, agent_id },
  selection: { ids, toggle },
}: {
  readonly row: ListedRequest
  readonly selection: Selection
}): ReactNode {
  const handleClick = ({ shiftKey }: MouseEvent): void => toggle(id, shiftKey)
  return (
    <label className="select-box">
      <input
        type="checkbox"
        checked={ids.has(id)}
        onClick={handleClick}
        // The click has said it, with or without shift.
        onChange={() => {}}
        aria-label={toVisibleText(`select ${action ?? ''} of ${agent_id}`)}
      />
    </label>
  )
}

/** Selects several at once, as many as fit; once all of them are selected, or no more fit, none of them. */
export function GroupBox({
  ids,
  name,
  selection: { ids: selected, change },
}: {
  readonly ids: readonly string[]
  readonly name: string
  readonly selection: Selection
}): ReactNode {
  const box = useRef<HTMLInputElement>(null)
  const count = ids.filter((id) => selected.has(id)).length
  const isSome = count > 0 && count < ids.length
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome
  }, [isSome])
  return (
    <label className="select-box">
      <input
        ref={box}
        type="checkbox"
        checked={count > 0 && !isSome}
        onChange={() => change(ids, count < ids.length && selected.size < MOST_SELECTED)}
        aria-label={toVisibleText(`select ${name}`)}
      />
    </label>
  )
}
