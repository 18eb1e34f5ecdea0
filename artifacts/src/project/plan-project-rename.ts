/**
 * Gives a symbol another name in every artifact that knows it by the old one, or in none.
 *
 * R1 where it goes by a name of its own (`as`), that name stays; what is exported and imported by its own name is so by the new one.
 * R2 behind the change every name means what it meant: nothing is captured, and nothing hides anything.
 * R3 where nobody can say whether it is named, nothing is changed, and the place is named.
 */
import { err, ok, type Result } from 'rubicon-kernel'
import type { DeltaProblem, Plan } from '../delta/plan.ts'
import { planDelta } from '../delta/plan-delta.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { hasWord, type ProjectArtifact } from './artifact.ts'
import { listDeclaring } from './declared.ts'
import { findUses } from './find-uses.ts'
import { finishRename, moveName } from './finish-rename.ts'
import { Project } from './project.ts'
import { listRenameSplices } from './rename-splices.ts'
import { resolveExport } from './resolve-export.ts'
import type { Use, Uses } from './use.ts'

/** Plans by artifact: all of them, or none. */
export type ProjectPlan = { readonly plans: ReadonlyMap<string, Plan> }

type Planned = ProjectPlan & { readonly behind: Project }

export type ProjectProblem = DeltaProblem & { readonly artifact: string }

export type ProjectTarget = { readonly artifact: string; readonly path: string }

export function planProjectRename(
  project: Project,
  { artifact, path }: ProjectTarget,
  name: string,
): Result<ProjectPlan, ProjectProblem> {
  const found = project.artifacts.get(artifact)
  if (found === undefined || found.parsed === null || found.format === null)
    return err({ artifact, code: 'TARGET_MISSING', detail: 'there is no such artifact' })
  const symbol = findSymbol(found.parsed, path)
  if (!symbol.ok) return err({ artifact, ...symbol.error })
  const isTop = found.parsed.symbols.includes(symbol.value)
  // What lies in another symbol is named by members, and only its own artifact can say where.
  if (!isTop || found.links === null) return planOneArtifact(found, path, name)
  const { nameSpan, name: old } = symbol.value
  if (nameSpan === null)
    return err({ artifact, code: 'TARGET_UNFIT', detail: `\`${path}\` has no name to change` })
  const refused = found.format.names?.refuseName(name) ?? null
  if (refused !== null) return err({ artifact, code: 'FRAGMENT_INVALID', detail: refused })
  const uses = findUses(project, artifact, path)
  if (!uses.ok) return uses
  const problem =
    findUnreadable(project, old) ??
    findUnknown(project, uses.value, old) ??
    findTaken(project, uses.value, name)
  if (problem !== null) return err(problem)
  const planned = planUses(project, uses.value.uses, name)
  if (!planned.ok) return planned
  const index = found.parsed.symbols.indexOf(symbol.value)
  const lost = findLost(uses.value, planned.value, { artifact, index })
  return lost === null ? ok({ plans: planned.value.plans }) : err(lost)
}

function planOneArtifact(
  { name: artifact, parsed, format }: ProjectArtifact,
  path: string,
  name: string,
): Result<ProjectPlan, ProjectProblem> {
  if (parsed === null || format === null)
    return err({ artifact, code: 'TARGET_MISSING', detail: 'there is no such artifact' })
  const planned = planDelta(parsed, { op: 'rename', target: path, name }, format)
  if (!planned.ok) return err({ artifact, ...planned.error })
  return ok({ plans: new Map([[artifact, planned.value]]) })
}

function planUses(
  project: Project,
  uses: readonly Use[],
  name: string,
): Result<Planned, ProjectProblem> {
  const plans = new Map<string, Plan>()
  const behind = new Map(project.artifacts)
  for (const artifact of new Set(uses.map((use) => use.artifact))) {
    const found = project.artifacts.get(artifact)
    if (found === undefined) continue
    const own = uses.filter((use) => use.artifact === artifact)
    const splices = listRenameSplices(found, own, name)
    if (splices.length === 0) continue
    const finished = finishRename(found, splices)
    if (!finished.ok) return err({ artifact, ...finished.error })
    plans.set(artifact, finished.value.plan)
    behind.set(artifact, finished.value.next)
  }
  return ok({ plans, behind: new Project([...behind.values()], project.ports, project) })
}

/** R2. The symbol is named behind the change where it was named before, and nowhere else. */
function findLost(
  { uses }: Uses,
  { plans, behind }: Planned,
  { artifact, index }: { readonly artifact: string; readonly index: number },
): ProjectProblem | null {
  const path = plans.get(artifact)?.after.symbols[index]?.path ?? ''
  const found = findUses(behind, artifact, path)
  if (!found.ok) return found.error
  const before = uses.map((use) => {
    const splices = plans.get(use.artifact)?.splices ?? []
    return { ...use, start: use.role === 'taken' ? null : moveName(use.at.start, splices) }
  })
  const missed = before.find(
    (use) =>
      !found.value.uses.some(
        ({ artifact: name, at }) =>
          name === use.artifact && (use.start === null || at.start === use.start),
      ),
  )
  const lost = missed ?? (found.value.uses.length > uses.length ? found.value.uses.at(-1) : null)
  if (lost === null || lost === undefined) return null
  const detail = `\`${path}\` would not be named where it is named now`
  return { artifact: lost.artifact, code: 'NAME_TAKEN', detail, at: lost.at }
}

/** What does not parse may name it. */
function findUnreadable(project: Project, old: string): ProjectProblem | null {
  for (const artifact of project.artifacts.values())
    if (artifact.problem !== null && artifact.format?.type === 'code' && hasWord(artifact, old))
      return {
        artifact: artifact.name,
        code: 'TARGET_UNFIT',
        detail: `\`${artifact.name}\` cannot be read, and \`${old}\` stands in it`,
        at: artifact.problem.at,
      }
  return null
}

/** A module that is handed on as a whole may be asked for any name in it, wherever that stands in its artifact. */
function findUnknown(project: Project, { unknown }: Uses, old: string): ProjectProblem | null {
  for (const { artifact, at } of unknown) {
    const found = project.artifacts.get(artifact)
    if (found !== undefined && hasWord(found, old))
      return {
        artifact,
        code: 'TARGET_UNFIT',
        detail: `a module is handed on as a whole here: nobody can say where \`${old}\` of it is named`,
        at,
      }
  }
  return null
}

function findTaken(
  project: Project,
  { bound, exported }: Uses,
  name: string,
): ProjectProblem | null {
  for (const artifact of bound) {
    const found = project.artifacts.get(artifact)
    if (found === undefined) continue
    const [declared] = listDeclaring(found, name)
    const imported = found.links?.imports.find(({ local }) => local === name)
    const at = declared?.own ?? imported?.localSpan
    if (at !== undefined)
      return { artifact, code: 'NAME_TAKEN', detail: `there is a \`${name}\` already`, at }
  }
  for (const { artifact } of exported)
    if (resolveExport(project, artifact, name).kind !== 'missing')
      return { artifact, code: 'NAME_TAKEN', detail: `a \`${name}\` is exported already` }
  return null
}
