/**
 * I28, of order: members that several put at the end of one class, each on the same text, stand there by the keys of their plans,
 * whichever was applied first.
 */
import { listSymbols } from './symbols.ts'

type Change = {
  readonly after: string
  readonly base: string | null
  readonly key: string
  readonly previous: string | null
  readonly deltas:
    | readonly { readonly op: string; readonly target: string; readonly fragment: string }[]
    | null
}

export type OrderedText = {
  /** The text as it is. */
  readonly after: string
  /** The hash of the last change. */
  readonly change: string
  readonly find: (hash: string) => string | null
}

export function auditOrder(report: (detail: string) => void, text: OrderedText): void {
  const changes = listSameBase(text)
  if (changes.length < 2) return
  const paths = [...listSymbols(text.after).keys()]
  const added = changes.flatMap(({ key, deltas }) =>
    (deltas ?? [])
      .filter(({ op }) => op === 'addMember')
      .map(({ target, fragment }) => {
        const [name = ''] = /^\w+/.exec(fragment) ?? []
        return { key, target, place: paths.indexOf(`${target}/method:${name}`) }
      }),
  )
  for (const one of added)
    for (const other of added)
      if (one.target === other.target && one.key < other.key && one.place > other.place)
        report(`what ${one.key} put in stands behind what ${other.key} did`)
}

/** All since the base of the last one, where every one of them was planned on it; else none. */
function listSameBase({ change, find }: OrderedText): readonly Change[] {
  const last = parseChange(find(change))
  const found: Change[] = []
  for (let at = last; at !== null && last !== null; at = parseChange(find(at.previous ?? ''))) {
    if (at.after === last.base) return found
    if (at.base !== last.base || at.deltas === null) return []
    found.push(at)
  }
  return []
}

function parseChange(text: string | null): Change | null {
  return text === null ? null : (JSON.parse(text) as Change)
}
