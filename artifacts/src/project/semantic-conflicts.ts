/**
 * Conflicts of two change sets on one base that write different symbols: each is right by itself, and both together are not.
 *
 * K1 what one side renames, removes or defines anew, nothing new of the other side refers to; nor does anything that it changed.
 * K2 what both sides agree on is no conflict: the same change on both sides is one change.
 * K3 the answer is the same whichever side is called ours.
 */
import type { Span } from '../text/span.ts'
import { hashSymbols } from './definitions.ts'
import { isEnumUseSafe } from './enum-use.ts'
import { listStale } from './list-stale.ts'
import { toRealTarget } from './member-target.ts'
import type { ChangeSet, Project } from './project.ts'
import { resolveImport } from './resolve-export.ts'
import { listSymbolChanges, type SymbolChange } from './symbol-changes.ts'
import { listSymbolReferences } from './symbol-references.ts'

export type SemanticConflict = {
  readonly kind:
    | 'RENAME_AND_REFERENCE'
    | 'SIGNATURE_AND_REFERENCE'
    | 'REMOVAL_AND_REFERENCE'
    | 'ENUM_AND_REFERENCE'
    | 'ARTIFACT_REMOVED'
    | 'NAME_HIDDEN'
  /** Which side defines anew; the other one refers. */
  readonly definer: 'ours' | 'theirs'
  readonly changed: { readonly artifact: string; readonly path: string }
  /** Its path behind a rename: what the other side would have to write. */
  readonly now: string | null
  readonly referrer: { readonly artifact: string; readonly path: string; readonly at: Span }
}

type Side = { readonly project: Project; readonly changes: readonly SymbolChange[] }

export function findSemanticConflicts(
  base: Project,
  ours: ChangeSet,
  theirs: ChangeSet,
): readonly SemanticConflict[] {
  const [one, other] = [ours, theirs].map((changes): Side => {
    const project = base.change(changes)
    return { project, changes: listSymbolChanges(base, project) }
  })
  if (one === undefined || other === undefined) return []
  const found = [
    ...findBetween(base, one, other, 'ours'),
    ...findBetween(base, other, one, 'theirs'),
  ]
  return found.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function findBetween(
  base: Project,
  definer: Side,
  referrer: Side,
  side: SemanticConflict['definer'],
): readonly SemanticConflict[] {
  const changed = new Map(
    definer.changes
      .filter((change) => !isAgreed(change, definer, referrer))
      .map((change) => [`${change.artifact}\n${change.path}`, change]),
  )
  const conflicts: SemanticConflict[] = []
  for (const name of referrer.project.artifacts.keys())
    for (const use of listNewReferences(base, referrer.project, name)) {
      const at = { artifact: name, path: use.path, at: use.at }
      const change = use.targets
        .map((target) => changed.get(target))
        .find((one) => one !== undefined && !isSafe(one, base, definer.project, at))
      if (change !== undefined) conflicts.push(toConflict(change, at, side))
    }
  return [...conflicts, ...findRemovedArtifacts(base, definer, referrer, side)]
}

/** K2. */
function isAgreed({ artifact, path }: SymbolChange, one: Side, other: Side): boolean {
  const mine = hashSymbols(one.project, artifact).get(path)
  const yours = hashSymbols(other.project, artifact).get(path)
  return mine?.definition === yours?.definition
}

type NewReference = {
  readonly path: string
  readonly at: Span
  /** As keys of changes. */
  readonly targets: readonly string[]
}

/** References of symbols that are new or whose content is another one than in the base. */
function listNewReferences(base: Project, now: Project, name: string): readonly NewReference[] {
  if (base.artifacts.get(name) === now.artifacts.get(name)) return []
  const old = hashSymbols(base, name)
  const hashes = hashSymbols(now, name)
  return listSymbolReferences(now, name).flatMap(({ path, at, to }): readonly NewReference[] => {
    if (old.get(path)?.content === hashes.get(path)?.content) return []
    const target = toRealTarget(now, name, at, to)
    if (target.kind !== 'symbol') return []
    return [{ path, at, targets: target.paths.map((one) => `${target.artifact}\n${one}`) }]
  })
}

function isSafe(
  { of, artifact, path, kind }: SymbolChange,
  base: Project,
  definer: Project,
  use: SemanticConflict['referrer'],
): boolean {
  return of === 'enum' && kind === 'redefined'
    ? isEnumUseSafe({ artifact, path }, base, definer, use)
    : false
}

const KINDS = {
  renamed: 'RENAME_AND_REFERENCE',
  removed: 'REMOVAL_AND_REFERENCE',
  redefined: 'SIGNATURE_AND_REFERENCE',
} as const

function toConflict(
  { artifact, path, kind, now, of }: SymbolChange,
  referrer: SemanticConflict['referrer'],
  definer: SemanticConflict['definer'],
): SemanticConflict {
  const isEnum = of === 'enum' && kind === 'redefined'
  return {
    kind: isEnum ? 'ENUM_AND_REFERENCE' : KINDS[kind],
    definer,
    changed: { artifact, path },
    now,
    referrer,
  }
}
