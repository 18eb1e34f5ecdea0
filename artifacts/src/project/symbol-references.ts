/** What the symbols of an artifact refer to, resolved over the whole project. */
import type { Reference } from '../formats/format.ts'
import type { Span } from '../text/span.ts'
import type { ProjectArtifact } from './artifact.ts'
import { findInnermostAt } from './declared.ts'
import type { Project } from './project.ts'
import { type ExportTarget, resolveImport } from './resolve-export.ts'

export type SymbolReference = {
  /** The innermost symbol that it stands in. */
  readonly path: string
  readonly at: Span
  readonly name: string
  readonly to: ExportTarget
}

const known = new WeakMap<ProjectArtifact, readonly Reference[]>()

/** Of every symbol at the top level what it refers to outside of itself, as its format says it; empty: its format knows no names. */
export function listRawReferences(artifact: ProjectArtifact): readonly Reference[] {
  const cached = known.get(artifact)
  if (cached !== undefined) return cached
  const { parsed, format } = artifact
  const find = format?.findReferences
  const found =
    parsed === null || find === undefined
      ? []
      : parsed.symbols
          .filter(({ kind }) => kind !== 'import')
          .flatMap(({ own }) => [...find(parsed, own)])
  known.set(artifact, found)
  return found
}

export function listSymbolReferences(project: Project, name: string): readonly SymbolReference[] {
  const artifact = project.artifacts.get(name)
  if (artifact === undefined) return []
  return listRawReferences(artifact).flatMap((reference): readonly SymbolReference[] => {
    const { at } = reference
    const to = resolveReference(project, artifact, reference)
    if (to === null) return []
    const path = findInnermostAt(artifact, at)?.path ?? ''
    return [{ path, at, name: reference.name, to }]
  })
}

/** Null: nobody declares it. */
function resolveReference(
  project: Project,
  { name }: ProjectArtifact,
  { to }: Reference,
): ExportTarget | null {
  switch (to.kind) {
    case 'free':
      return null
    case 'symbol':
      return { kind: 'symbol', artifact: name, paths: [to.path] }
    case 'import':
      return resolveImport(project, name, to.from, to.name)
  }
}
