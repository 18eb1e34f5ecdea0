/**
 * Which symbol of the first text a path of a later one means, where several deltas follow one another: claims of different authors are
 * compared by paths, and those have to be of the text that all of them know.
 */
import type { SymbolPath } from 'rubicon-kernel'
import { listSymbols } from '../project/artifact.ts'
import { moveSpan } from '../text/moved-span.ts'
import { isInside } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { ClaimedStep } from './claimed-step.ts'
import { toPathText, toSegments } from './symbol-segments.ts'

export class BasePaths {
  /** By the path that it has now; null: it was put in since. */
  #known: ReadonlyMap<string, string | null>

  constructor({ symbols }: Pick<ParsedText, 'symbols'>) {
    this.#known = new Map(listSymbols(symbols).map(({ path }) => [path, path]))
  }

  /** Null: the first text has no such symbol. What is nowhere yet is so by the path of what it would lie in. */
  find(path: SymbolPath): SymbolPath | null {
    for (let length = path.length; length > 0; length -= 1) {
      const known = this.#known.get(toPathText(path.slice(0, length)))
      if (known === null) return null
      if (known !== undefined) return [...toSegments(known), ...path.slice(length)]
    }
    return path
  }

  follow(step: ClaimedStep): void {
    const next = new Map<string, string | null>(
      listSymbols(step.after.symbols).map(({ path }) => [path, null]),
    )
    for (const [symbol, behind] of matchAround(step))
      next.set(behind.path, this.#known.get(symbol.path) ?? null)
    this.#known = next
  }
}

type SymbolsAround = readonly (readonly [SymbolNode, SymbolNode])[]

/** Symbols of the text before a step, each with what it is behind it. */
function matchAround(step: ClaimedStep): SymbolsAround {
  const [before, after] = [listSymbols(step.before.symbols), listSymbols(step.after.symbols)]
  // Other names, and nothing else.
  const isSameShape =
    before.length === after.length && before.every(({ kind }, i) => kind === after[i]?.kind)
  if (step.delta?.op === 'rename' && isSameShape)
    return before.flatMap((symbol, i) => {
      const behind = after[i]
      return behind === undefined ? [] : [[symbol, behind] as const]
    })
  const places = new Map<string, SymbolNode[]>()
  for (const symbol of after)
    for (const place of listPlaces(symbol.kind, symbol.own))
      places.set(place, [...(places.get(place) ?? []), symbol])
  const paths = new Map(after.map((symbol) => [symbol.path, symbol]))
  const pairs = before.flatMap((symbol) => {
    const found = listPlaces(symbol.kind, moveSpan(symbol.own, step.splices)).flatMap(
      (place) => places.get(place) ?? [],
    )
    const behind = found.find(({ name }) => name === symbol.name) ?? found[0]
    if (behind !== undefined) return [[symbol, behind] as const]
    // Its beginning and its end were written anew.
    const same = paths.get(symbol.path)
    const isOwn = same !== undefined && !isMoved(step, symbol)
    return isOwn ? [[symbol, same] as const] : []
  })
  return [...pairs, ...matchTaken(step, before, after)]
}

function listPlaces(
  kind: string,
  { start, end }: { readonly start: number | null; readonly end: number | null },
): readonly string[] {
  return [
    ...(start === null ? [] : [`${kind} from ${start}`]),
    ...(end === null ? [] : [`${kind} to ${end}`]),
  ]
}

function isMoved({ delta }: ClaimedStep, { path }: SymbolNode): boolean {
  return delta?.op === 'move' && (path === delta.target || path.startsWith(`${delta.target}/`))
}

/** What a move takes out at one place and puts in at another, with all that lies in it. */
function matchTaken(
  step: ClaimedStep,
  before: readonly SymbolNode[],
  after: readonly SymbolNode[],
): SymbolsAround {
  const { delta } = step
  if (delta?.op !== 'move') return []
  const taken = before.find(({ path }) => path === delta.target)
  const prefix = delta.to === '' ? '' : `${delta.to}/`
  const put = after.filter(
    ({ path, kind, name }) =>
      path.slice(0, path.lastIndexOf('/') + 1) === prefix &&
      kind === taken?.kind &&
      name === taken.name,
  )
  const [only, ...more] = put
  if (taken === undefined || only === undefined || more.length > 0) return []
  const within = after.filter(
    ({ own, path }) => isInside(own, only.own) && path.startsWith(only.path),
  )
  return before.flatMap((symbol) => {
    const rest = isMoved(step, symbol) ? symbol.path.slice(taken.path.length) : null
    const behind = within.find(({ path }) => rest !== null && path === `${only.path}${rest}`)
    return behind === undefined ? [] : [[symbol, behind] as const]
  })
}
