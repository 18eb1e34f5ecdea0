/** The members among which something is put, moved or removed. */
import { err, ok, type Result } from 'rubicon-kernel'
import { isInside } from '../text/span.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Container, SymbolNode } from '../tree/symbol-node.ts'
import { type Anchor, ROOT } from './delta.ts'
import type { DeltaProblem } from './plan.ts'

export type Siblings = {
  readonly container: Container
  readonly children: readonly SymbolNode[]
  /** Where what holds them begins; null: the artifact holds them. */
  readonly start: number | null
}

export function findSiblings(parsed: ParsedText, target: string): Result<Siblings, DeltaProblem> {
  if (target === ROOT)
    return ok({ container: parsed.container, children: parsed.symbols, start: null })
  const found = findSymbol(parsed, target)
  if (!found.ok) return found
  const { container, children, own } = found.value
  if (container === null)
    return err({ code: 'TARGET_UNFIT', detail: `\`${target}\` has no members` })
  return ok({ container, children, start: own.start })
}

/** The members that a symbol is one of. */
export function findSiblingsOf(parsed: ParsedText, symbol: SymbolNode): Siblings {
  let siblings: Siblings = { container: parsed.container, children: parsed.symbols, start: null }
  while (!siblings.children.includes(symbol)) {
    const parent = siblings.children.find(({ own }) => isInside(symbol.own, own))
    if (parent?.container == null) return siblings
    const { container, children, own } = parent
    siblings = { container, children, start: own.start }
  }
  return siblings
}

/** The index of the member that something is put behind; -1: it comes first. */
export function findAnchor(
  { children }: Siblings,
  anchor: Anchor | undefined,
): Result<number, DeltaProblem> {
  if (anchor === undefined) return ok(children.length - 1)
  const { after } = anchor
  if (after === null) return ok(-1)
  const index = children.findIndex(({ path }) => path === after)
  if (index >= 0) return ok(index)
  const candidates = children.map(({ path }) => path)
  return err({
    code: 'TARGET_MISSING',
    detail: `there is no \`${after}\` to put it behind`,
    candidates,
  })
}
