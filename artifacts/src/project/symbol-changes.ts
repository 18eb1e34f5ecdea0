/** What a change set does to the symbols of a project, by what others see of them. */
import { listTokens } from '../tree/list-tokens.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { ProjectArtifact } from './artifact.ts'
import { listSymbols } from './artifact.ts'
import { hashSymbols } from './definitions.ts'
import type { Project } from './project.ts'

export type SymbolChange = {
  readonly artifact: string
  readonly path: string
  readonly kind: 'renamed' | 'redefined' | 'removed'
  /** Its path behind a rename. */
  readonly now: string | null
  /** As `function`, `enum`. */
  readonly of: string
}

/** Of symbols that were there: who is new was referred to by nobody. */
export function listSymbolChanges(before: Project, after: Project): readonly SymbolChange[] {
  const changes: SymbolChange[] = []
  for (const [name, artifact] of before.artifacts) {
    const now = after.artifacts.get(name)
    if (now === artifact) continue
    const old = hashSymbols(before, name)
    const next = hashSymbols(after, name)
    for (const symbol of listSymbols(artifact.parsed?.symbols ?? [])) {
      const { path, kind: of } = symbol
      const behind = next.get(path)
      if (behind !== undefined && behind.definition === old.get(path)?.definition) continue
      const renamed = behind === undefined ? findRenamed(artifact, symbol, now, old) : null
      const kind = behind !== undefined ? 'redefined' : renamed === null ? 'removed' : 'renamed'
      changes.push({ artifact: name, path, kind, now: renamed, of })
    }
  }
  return changes
}

/** One that is new, of the same kind, and whose tokens are the same but for its name. */
function findRenamed(
  before: ProjectArtifact,
  symbol: SymbolNode,
  after: ProjectArtifact | undefined,
  old: ReadonlyMap<string, unknown>,
): string | null {
  const { parsed } = before
  if (parsed === null || after === undefined || after.parsed === null) return null
  const wanted = writeWithout(before, symbol)
  const candidates = listSymbols(after.parsed.symbols).filter(
    (one) => one.kind === symbol.kind && !old.has(one.path) && writeWithout(after, one) === wanted,
  )
  return candidates.length === 1 ? (candidates[0]?.path ?? null) : null
}

function writeWithout({ parsed }: ProjectArtifact, { own, name }: SymbolNode): string {
  if (parsed === null) return ''
  return listTokens(parsed, own)
    .map((token) => (token === name ? '\0' : token))
    .join('\n')
}
