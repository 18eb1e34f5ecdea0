/** What a change set names that the base did not: only that can be in the way of what somebody else defines anew. */
import type { Span } from '../text/span.ts'
import type { ProjectArtifact } from './artifact.ts'
import { findInnermostAt } from './declared.ts'
import { hashSymbols } from './definitions.ts'
import { listMembersBehind } from './member-chain.ts'
import { toRealTarget } from './member-target.ts'
import type { Project } from './project.ts'
import type { SymbolPlace } from './symbol-place.ts'
import { listSymbolReferences } from './symbol-references.ts'

export type NewUse = SymbolPlace & {
  readonly to:
    | { readonly kind: 'symbol'; readonly artifact: string; readonly paths: readonly string[] }
    /** A name behind a dot, of nobody knows what. */
    | { readonly kind: 'member'; readonly name: string }
  /** What is taken of a symbol by its name. */
  readonly member: string | null
  /** Its symbol names the same more often than it did; false: as often, though it was changed. */
  readonly isMore: boolean
}

/** Of symbols whose content is another one than in the base. */
export function listNewUses(base: Project, now: Project): readonly NewUse[] {
  return [...now.artifacts.values()].flatMap((artifact) => {
    const before = base.artifacts.get(artifact.name)
    if (before === artifact) return []
    const [old, hashes] = [hashSymbols(base, artifact.name), hashSymbols(now, artifact.name)]
    const uses = subtract(
      [...listNamed(now, artifact), ...listMembers(artifact)],
      before === undefined ? [] : [...listNamed(base, before), ...listMembers(before)],
    )
    return uses.filter(({ path }) => old.get(path)?.content !== hashes.get(path)?.content)
  })
}

type FoundUse = Omit<NewUse, 'isMore'>

/** As often as before is not new: what is left of a symbol that was changed elsewhere is for whoever changes what it names. */
function subtract(now: readonly FoundUse[], before: readonly FoundUse[]): readonly NewUse[] {
  const counts = new Map<string, number>()
  for (const use of before) counts.set(toKey(use), (counts.get(toKey(use)) ?? 0) + 1)
  return now.map((use) => {
    const left = counts.get(toKey(use)) ?? 0
    counts.set(toKey(use), left - 1)
    return { ...use, isMore: left <= 0 }
  })
}

function toKey({ path, to, member }: FoundUse): string {
  return JSON.stringify([path, to, member])
}

function listNamed(project: Project, artifact: ProjectArtifact): readonly FoundUse[] {
  const { name, parsed } = artifact
  return listSymbolReferences(project, name).flatMap(({ path, at, to }): readonly FoundUse[] => {
    const target = toRealTarget(project, name, at, to)
    if (target.kind !== 'symbol' || parsed === null) return []
    const member = listMembersBehind(parsed, at, 1)[0]?.name ?? null
    return [{ artifact: name, path, at, to: target, member }]
  })
}

function listMembers(artifact: ProjectArtifact): readonly FoundUse[] {
  const { name, parsed, format } = artifact
  if (parsed === null || format?.type !== 'code') return []
  const uses: FoundUse[] = []
  let isBehindDot = false
  for (const tile of parsed.tiles) {
    if (tile.kind === 'space' || tile.kind === 'comment') continue
    const word = parsed.text.slice(tile.start, tile.end)
    if (isBehindDot && tile.kind === 'word') uses.push(toMember(artifact, name, tile, word))
    isBehindDot = word === '.'
  }
  return uses
}

function toMember(artifact: ProjectArtifact, name: string, at: Span, word: string): FoundUse {
  const path = findInnermostAt(artifact, at)?.path ?? ''
  const to = { kind: 'member', name: word } as const
  return { artifact: name, path, at: { start: at.start, end: at.end }, to, member: null }
}
