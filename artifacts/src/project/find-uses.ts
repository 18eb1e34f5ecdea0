/**
 * Every place of a project at which a symbol is named: in its own artifact, and through whatever imports it and hands it on.
 *
 * U1 one place is one use, however many ways lead to it.
 * U2 where a module is handed on as a whole, nobody can say what is taken of it: the place is named, not passed over.
 */
import { err, ok, type Result } from 'rubicon-kernel'
import type { DeltaProblem } from '../delta/plan.ts'
import { isInside } from '../text/span.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ProjectArtifact } from './artifact.ts'
import { ImportWalk } from './import-walk.ts'
import type { Project } from './project.ts'
import { resolveExport } from './resolve-export.ts'
import { isSame, type Uses } from './use.ts'

export function findUses(
  project: Project,
  name: string,
  path: string,
): Result<Uses, DeltaProblem & { readonly artifact: string }> {
  const artifact = project.artifacts.get(name)
  const { parsed, format } = artifact ?? { parsed: null, format: null }
  if (artifact === undefined || parsed === null || format === null)
    return err({ code: 'TARGET_MISSING', detail: 'there is no such artifact', artifact: name })
  const symbol = findSymbol(parsed, path)
  if (!symbol.ok) return err({ ...symbol.error, artifact: name })
  const places = format.findOccurrences?.(parsed, path) ?? null
  if (places === null)
    return err({
      code: 'TARGET_UNFIT',
      detail: `nobody can say where \`${path}\` is named`,
      artifact: name,
    })
  const walk = new ImportWalk(project)
  const { own, nameSpan } = symbol.value
  for (const at of places)
    walk.add({
      artifact: name,
      at,
      role: isSame(at, nameSpan) ? 'declaration' : 'use',
      isAliased: false,
    })
  if (parsed.symbols.some((one) => isInside(own, one.own) && one.path === path)) {
    walk.bind(name)
    followExports(walk, project, artifact, path)
  }
  walk.run()
  return ok(walk.finish())
}

/** A symbol at the top level is known to others by the names under which it is exported. */
function followExports(
  walk: ImportWalk,
  project: Project,
  artifact: ProjectArtifact,
  path: string,
): void {
  for (const { name, nameSpan, from, local, localSpan } of artifact.links?.exports ?? []) {
    if (from !== null || name === null) continue
    const target = resolveExport(project, artifact.name, name)
    if (target.kind !== 'symbol' || target.artifact !== artifact.name) continue
    if (!target.paths.includes(path)) continue
    walk.follow(
      artifact.name,
      [name],
      !isSame(nameSpan, localSpan),
      nameSpan === null ? local : null,
    )
    if (nameSpan !== null && !isSame(nameSpan, localSpan))
      walk.add({ artifact: artifact.name, at: nameSpan, role: 'export', isAliased: true })
  }
}
