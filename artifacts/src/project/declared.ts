/** Which symbols of an artifact a name at its top level declares. */
import { isInside, type Span } from '../text/span.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { ProjectArtifact } from './artifact.ts'

/** Kinds that declare no name of their own. */
const NAMELESS: ReadonlySet<string> = new Set([
  'import',
  'export',
  'export_all',
  'statement',
  'directive',
])

/** Several: overloads, and declarations that are merged. */
export function listDeclaring({ parsed }: ProjectArtifact, name: string): readonly SymbolNode[] {
  return (parsed?.symbols ?? []).filter((symbol) => isDeclaring(symbol, name))
}

function isDeclaring(symbol: SymbolNode, name: string): boolean {
  if (NAMELESS.has(symbol.kind)) return false
  if (symbol.name === name) return true
  if (symbol.nameSpan !== null) return false
  // A pattern declares several names; its own is its text.
  return symbol.kind === 'variable' && listWords(symbol.name).includes(name)
}

function listWords(pattern: string): readonly string[] {
  return pattern.split(/[^\p{ID_Continue}$]+/u)
}

/** The symbol at the top level that a place lies in. */
export function findSymbolAt({ parsed }: ProjectArtifact, at: Span): SymbolNode | undefined {
  return parsed?.symbols.find(({ own }) => isInside(at, own))
}

/** The innermost symbol that a place lies in. */
export function findInnermostAt(artifact: ProjectArtifact, at: Span): SymbolNode | undefined {
  let found = findSymbolAt(artifact, at)
  for (;;) {
    const inner = found?.children.find(({ own }) => isInside(at, own))
    if (inner === undefined) return found
    found = inner
  }
}
