/**
 * What a name means that an artifact exports, through whatever hands it on.
 *
 * A name that is exported itself comes before what `export *` brings; two of those that bring different symbols make the name ambiguous,
 * and a circle of them brings nothing.
 */
import { EXPORT_EQUALS, type ExportLink } from '../formats/module-links.ts'
import type { ProjectArtifact } from './artifact.ts'
import { findSymbolAt, listDeclaring } from './declared.ts'
import type { ExternalMention, ExternalModule } from './external-module.ts'
import type { Project } from './project.ts'

export type ExportTarget =
  | { readonly kind: 'symbol'; readonly artifact: string; readonly paths: readonly string[] }
  /** An artifact as a whole. */
  | { readonly kind: 'module'; readonly artifact: string }
  | {
      readonly kind: 'external'
      readonly external: ExternalModule
      readonly name: string | null
      /** Who asks for it: it may be another artifact that hands it on. */
      readonly mention: ExternalMention
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous' }

const MISSING: ExportTarget = { kind: 'missing' }

export function resolveExport(project: Project, artifact: string, name: string): ExportTarget {
  return follow(project, artifact, name, new Set())
}

/** What a specifier and a name in an artifact mean; null: all of it. */
export function resolveImport(
  project: Project,
  artifact: string,
  from: string,
  name: string | null,
): ExportTarget {
  return followInto(project, artifact, from, name, new Set())
}

/** What a name at the top level of an artifact means. */
export function resolveLocal(project: Project, artifact: string, local: string): ExportTarget {
  const found = project.artifacts.get(artifact)
  return found === undefined ? MISSING : followLocal(project, found, local, new Set())
}

function follow(project: Project, name: string, exported: string, seen: Set<string>): ExportTarget {
  const key = `${name}\n${exported}`
  const artifact = project.artifacts.get(name)
  if (artifact === undefined || artifact.links === null || seen.has(key)) return MISSING
  seen.add(key)
  const own = artifact.links.exports.filter((link) => link.name === exported)
  if (own.length > 0) return joinAll(own.map((link) => followLink(project, artifact, link, seen)))
  // What `export =` exports is also the default of it.
  if (exported === 'default') return follow(project, name, EXPORT_EQUALS, seen)
  if (exported === EXPORT_EQUALS) return MISSING
  const stars = artifact.links.exports.filter((link) => link.name === null)
  const brought = stars.map(({ from }) =>
    followInto(project, name, from ?? '', exported, new Set(seen)),
  )
  // Of a package nobody knows what it exports: it may be there.
  const known = brought.filter(({ kind }) => kind !== 'missing')
  const certain = known.filter(({ kind }) => kind !== 'external')
  return certain.length > 0 ? joinEqual(certain) : (known[0] ?? MISSING)
}

function followLink(
  project: Project,
  artifact: ProjectArtifact,
  { from, local, localSpan }: ExportLink,
  seen: Set<string>,
): ExportTarget {
  if (from !== null) return followInto(project, artifact.name, from, local, seen)
  const symbol = localSpan === null ? undefined : findSymbolAt(artifact, localSpan)
  const own: ExportTarget =
    symbol === undefined
      ? MISSING
      : { kind: 'symbol', artifact: artifact.name, paths: [symbol.path] }
  // What is declared where it is exported; all others name something, or are an expression.
  if (symbol !== undefined && !REFERRING.has(symbol.kind)) return own
  const target = followLocal(project, artifact, local ?? '', seen)
  return target.kind === 'missing' && symbol?.kind !== 'export' ? own : target
}

const REFERRING: ReadonlySet<string> = new Set(['export', 'default', 'statement'])

function followLocal(
  project: Project,
  artifact: ProjectArtifact,
  local: string,
  seen: Set<string>,
): ExportTarget {
  const imported = artifact.links?.imports.filter((link) => link.local === local) ?? []
  const [first] = imported
  const declared = listDeclaring(artifact, local).map(({ path }) => path)
  if (declared.length > 0) return { kind: 'symbol', artifact: artifact.name, paths: declared }
  if (first === undefined) return MISSING
  return followInto(project, artifact.name, first.from, first.name, seen)
}

function followInto(
  project: Project,
  artifact: string,
  from: string,
  name: string | null,
  seen: Set<string>,
): ExportTarget {
  const to = project.resolve(artifact, from)
  if (to.kind === 'external')
    return { kind: 'external', external: to.external, name, mention: { artifact, from } }
  if (to.kind === 'unresolved') return MISSING
  if (name === null) return { kind: 'module', artifact: to.artifact }
  return follow(project, to.artifact, name, seen)
}

/** Declarations that are merged are one target. */
function joinAll(targets: readonly ExportTarget[]): ExportTarget {
  const [first = MISSING] = targets
  if (first.kind !== 'symbol') return first
  const paths = targets.flatMap((target) =>
    target.kind === 'symbol' && target.artifact === first.artifact ? target.paths : [],
  )
  return { ...first, paths: [...new Set(paths)] }
}

function joinEqual(targets: readonly ExportTarget[]): ExportTarget {
  const [first = MISSING, ...more] = targets
  const isEqual = more.every((target) => JSON.stringify(target) === JSON.stringify(first))
  return isEqual ? first : { kind: 'ambiguous' }
}
