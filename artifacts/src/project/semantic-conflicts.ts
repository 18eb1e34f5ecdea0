/**
 * Conflicts of two change sets on one base that write different symbols: each is right by itself, and both together are not.
 *
 * K1 what one side renames, removes or defines anew, nothing new of the other side names. Of members whose holder nobody can tell
 *    without types, the name behind a dot counts.
 * K2 what both sides did alike is no conflict.
 * K3 the answer is the same whichever side is called ours.
 */

import { type DefinitionChange, listDefinitionChanges } from './definition-changes.ts'
import { isEnumUseSafe } from './enum-use.ts'
import { buildModuleGraph } from './module-graph.ts'
import { listNewUses, type NewUse } from './new-uses.ts'
import type { ChangeSet, Project } from './project.ts'
import type { SymbolPlace } from './symbol-place.ts'

export type SemanticConflict = {
  readonly kind:
    | 'RENAME_AND_REFERENCE'
    | 'SIGNATURE_AND_REFERENCE'
    | 'REMOVAL_AND_REFERENCE'
    | 'ENUM_AND_REFERENCE'
  /** Which side defines anew; the other one refers. */
  readonly definer: 'ours' | 'theirs'
  /** An empty path is the artifact. */
  readonly changed: { readonly artifact: string; readonly path: string }
  /** Its path behind a rename: what the other side would have to name. */
  readonly now: string | null
  readonly referrer: SymbolPlace
}

type Side = { readonly project: Project; readonly changes: readonly DefinitionChange[] }

export function findSemanticConflicts(
  base: Project,
  ours: ChangeSet,
  theirs: ChangeSet,
): readonly SemanticConflict[] {
  const [one, other] = [readSide(base, ours), readSide(base, theirs)]
  const found = [
    ...findBetween(base, one, other, 'ours'),
    ...findBetween(base, other, one, 'theirs'),
  ]
  return found.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function readSide(base: Project, set: ChangeSet): Side {
  const project = base.change(set)
  return { project, changes: listDefinitionChanges(base, project) }
}

function findBetween(
  base: Project,
  definer: Side,
  user: Side,
  side: SemanticConflict['definer'],
): readonly SemanticConflict[] {
  const agreed = new Set(user.changes.map((change) => JSON.stringify(change)))
  const changes = definer.changes.filter((change) => !agreed.has(JSON.stringify(change)))
  const conflicts: SemanticConflict[] = []
  for (const use of listNewUses(base, user.project)) {
    const { artifact, path, at } = use
    const place = { artifact, path, at }
    const change = changes.find(
      (one) => isInTheWay(one, use) && !isHarmless(one, base, definer, user, use),
    )
    if (change !== undefined) conflicts.push(toConflict(change, place, side))
  }
  return [...conflicts, ...findRemovedModules(base, definer, user, side)]
}

/** K1. */
function isInTheWay(change: DefinitionChange, { to, member }: NewUse): boolean {
  if (to.kind === 'member') return change.isMember && change.name === to.name
  if (change.artifact !== to.artifact) return false
  if (to.paths.includes(change.path)) return true
  const holder = change.path.slice(0, change.path.lastIndexOf('/'))
  return change.isMember && to.paths.includes(holder) && member === change.name
}

function isHarmless(
  change: DefinitionChange,
  base: Project,
  definer: Side,
  user: Side,
  use: NewUse,
): boolean {
  const isEnum = change.of === 'enum' && change.kind === 'redefined'
  if (isEnum)
    return isEnumUseSafe(change, base, definer.project, { user: user.project, place: use })
  return !use.isMore
}

const KINDS = {
  renamed: 'RENAME_AND_REFERENCE',
  removed: 'REMOVAL_AND_REFERENCE',
  redefined: 'SIGNATURE_AND_REFERENCE',
} as const

function toConflict(
  { artifact, path, kind, now, of }: DefinitionChange,
  referrer: SymbolPlace,
  definer: SemanticConflict['definer'],
): SemanticConflict {
  const isEnum = kind === 'redefined' && of === 'enum'
  const changed = { artifact, path }
  return { kind: isEnum ? 'ENUM_AND_REFERENCE' : KINDS[kind], definer, changed, now, referrer }
}

/** An artifact that one side took away, and the other one asks for anew. */
function findRemovedModules(
  base: Project,
  definer: Side,
  user: Side,
  side: SemanticConflict['definer'],
): readonly SemanticConflict[] {
  const known = buildModuleGraph(base).edges
  const conflicts: SemanticConflict[] = []
  for (const [artifact, edges] of buildModuleGraph(user.project).edges)
    for (const { specifier, to } of edges) {
      if (to.kind !== 'artifact' || definer.project.artifacts.has(to.artifact)) continue
      const isOld = known.get(artifact)?.some((edge) => edge.specifier === specifier) ?? false
      if (isOld || !base.artifacts.has(to.artifact)) continue
      conflicts.push({
        kind: 'REMOVAL_AND_REFERENCE',
        definer: side,
        changed: { artifact: to.artifact, path: '' },
        now: null,
        referrer: { artifact, path: '', at: { start: 0, end: 0 } },
      })
    }
  return conflicts
}
