/** Which rows are selected. What is not on the screen any more, or waits no longer, is not selected either. */
import { useRef, useState } from 'react'

export type Selection = {
  readonly ids: ReadonlySet<string>
  /** Those that may be, in the order of the list. */
  readonly selectable: readonly string[]
  /** `range`: all from the one before up to it. */
  readonly toggle: (id: string, range?: boolean) => void
  readonly change: (ids: readonly string[], selected: boolean) => void
  readonly clear: () => void
}

/** As many as one can read before one says yes to them. */
export const MOST_SELECTED = 50

export function useSelection(selectable: readonly string[]): Selection {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const ids = new Set(selectable.filter((id) => chosen.has(id)))
  const change = (named: readonly string[], selected: boolean): void =>
    choose(applySelection(ids, named, selected))
  const toggle = (id: string, range = false): void => {
    if (!selectable.includes(id)) return
    const from = range ? last.current : null
    last.current = id
    change(listBetween(selectable, from ?? id, id), range || !ids.has(id))
  }
  return { ids, selectable, toggle, change, clear: () => choose(new Set()) }
}

export function applySelection(
  before: ReadonlySet<string>,
  named: readonly string[],
  selected: boolean,
): ReadonlySet<string> {
  if (!selected) return new Set([...before].filter((id) => !named.includes(id)))
  return new Set([...before, ...named].slice(0, Math.max(MOST_SELECTED, before.size)))
}

/** Both ends are of it; without the first it is the second alone. */
export function listBetween(all: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [all.indexOf(from), all.indexOf(to)]
  if (a < 0 || b < 0) return b < 0 ? [] : [to]
  return all.slice(Math.min(a, b), Math.max(a, b) + 1)
}

/** The row itself while it is not selected, then the next one that is not; from no row the first. Null: there is none. */
export function findNextToSelect(
  selectable: readonly string[],
  selected: ReadonlySet<string>,
  from: string,
): string | null {
  const rest = selectable.slice(Math.max(0, selectable.indexOf(from)))
  return rest.find((id) => !selected.has(id)) ?? null
}
