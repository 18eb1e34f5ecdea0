/** Finds the one symbol that a path names. */
import { err, ok, type Result } from 'rubicon-kernel'
import { formatSegment, parsePath } from '../path/symbol-path.ts'
import type { ParsedText } from './parsed.ts'
import type { SymbolNode } from './symbol-node.ts'

export type TargetProblem = {
  readonly code: 'PATH_INVALID' | 'TARGET_MISSING' | 'TARGET_AMBIGUOUS'
  readonly detail: string
  /** The paths that could have been meant. */
  readonly candidates: readonly string[]
}

export function findSymbol(
  { symbols }: Pick<ParsedText, 'symbols'>,
  path: string,
): Result<SymbolNode, TargetProblem> {
  const parsed = parsePath(path)
  if (!parsed.ok) return err({ code: 'PATH_INVALID', candidates: [], ...parsed.error })
  let level = symbols
  let found: SymbolNode | undefined
  for (const segment of parsed.value) {
    const text = formatSegment(segment)
    const prefix = found === undefined ? '' : `${found.path}/`
    const next = level.find((symbol) => symbol.path === `${prefix}${text}`)
    if (next === undefined) return err(describeMissing(level, `${prefix}${text}`))
    found = next
    level = next.children
  }
  return found === undefined ? err(describeMissing(symbols, path)) : ok(found)
}

function describeMissing(level: readonly SymbolNode[], path: string): TargetProblem {
  const several = level.filter((symbol) => symbol.path.startsWith(`${path}#`))
  const candidates = (several.length > 0 ? several : level).map((symbol) => symbol.path)
  return several.length > 0
    ? { code: 'TARGET_AMBIGUOUS', detail: `\`${path}\` is not the only one`, candidates }
    : {
        code: 'TARGET_MISSING',
        detail: `there is no \`${path}\``,
        candidates: candidates.slice(0, 16),
      }
}
