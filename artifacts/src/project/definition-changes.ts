/**
 * What a change set does to the symbols of a project, by what others rely on.
 *
 * Whoever names a class relies on its header and on how it is made, not on its other members: those are changes of their own. Whoever
 * names an interface, a type or an enum relies on all of it.
 */
import { toCanonicalText } from 'rubicon-kernel/canonical'
import { writeDefinition, writeHeader } from '../tree/definition-hash.ts'
import { listTokens } from '../tree/list-tokens.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { listSymbols, type ProjectArtifact } from './artifact.ts'
import type { Project } from './project.ts'

export type DefinitionChange = {
  readonly artifact: string
  readonly path: string
  readonly name: string
  readonly kind: 'renamed' | 'redefined' | 'removed'
  /** Its path behind a rename. */
  readonly now: string | null
  /** What is relied on behind the change; null: nothing, it is gone. */
  readonly relied: string | null
  /** As `function`, `enum`. */
  readonly of: string
  /** It is a member of something that is no module: others name it behind a dot. */
  readonly isMember: boolean
}

/** Kinds of which members are named one by one. */
const BY_MEMBER: ReadonlySet<string> = new Set(['class', 'variable', 'default', 'namespace'])

/** Kinds that nobody refers to by name; a member of an enum is a change of the enum. */
const UNNAMED: ReadonlySet<string> = new Set([
  ...['import', 'export', 'export_all', 'statement', 'directive', 'member'],
])

/** Of symbols that were there: who is new was referred to by nobody. */
export function listDefinitionChanges(
  before: Project,
  after: Project,
): readonly DefinitionChange[] {
  return [...before.artifacts.values()].flatMap((artifact) => {
    const now = after.artifacts.get(artifact.name)
    return now === artifact ? [] : compareArtifacts(artifact, now)
  })
}

function compareArtifacts(
  before: ProjectArtifact,
  after: ProjectArtifact | undefined,
): readonly DefinitionChange[] {
  const old = mapSymbols(before)
  const next = mapSymbols(after)
  const changes: DefinitionChange[] = []
  for (const [path, symbol] of old) {
    if (UNNAMED.has(symbol.kind)) continue
    const behind = next.get(path)
    const isThere = behind !== undefined && after !== undefined
    const relied = isThere ? writeRelied(after, behind) : null
    if (relied === writeRelied(before, symbol)) continue
    const renamed = behind === undefined ? findRenamed(before, symbol, after, old) : null
    const kind = behind !== undefined ? 'redefined' : renamed === null ? 'removed' : 'renamed'
    const isMember = path.includes('/')
    const { name, kind: of } = symbol
    const change = { artifact: before.name, path, name, kind, of, isMember } as const
    changes.push({ ...change, now: renamed, relied })
  }
  return changes
}

function mapSymbols(artifact: ProjectArtifact | undefined): ReadonlyMap<string, SymbolNode> {
  const symbols = listSymbols(artifact?.parsed?.symbols ?? [])
  return new Map(symbols.map((symbol) => [symbol.path, symbol]))
}

/** What somebody relies on who names it. */
export function writeRelied({ parsed, format }: ProjectArtifact, symbol: SymbolNode): string {
  if (parsed === null || format === null) return ''
  const { type } = format
  if (symbol.container === null || !BY_MEMBER.has(symbol.kind))
    return toCanonicalText(writeDefinition(parsed, symbol, type))
  const made = symbol.children.filter(
    ({ kind, own }) =>
      kind === 'constructor' || listTokens(parsed, own).slice(0, 4).includes('abstract'),
  )
  return toCanonicalText([
    writeHeader(parsed, symbol, type),
    made.map((child) => writeDefinition(parsed, child, type)),
  ])
}

/** One that is new, of the same kind, and whose tokens are the same but for its name. */
function findRenamed(
  before: ProjectArtifact,
  symbol: SymbolNode,
  after: ProjectArtifact | undefined,
  old: ReadonlyMap<string, SymbolNode>,
): string | null {
  if (after === undefined) return null
  const wanted = writeWithoutName(before, symbol)
  const candidates = [...mapSymbols(after).values()].filter(
    (one) =>
      one.kind === symbol.kind && !old.has(one.path) && writeWithoutName(after, one) === wanted,
  )
  const [only, ...more] = candidates
  return only === undefined || more.length > 0 ? null : only.path
}

function writeWithoutName({ parsed }: ProjectArtifact, { own, name }: SymbolNode): string {
  if (parsed === null) return ''
  const tokens = listTokens(parsed, own).map((token) => (token === name ? '\0' : token))
  return tokens.join('\n')
}
