/**
 * Whether a change leaves something in the project without a meaning, in whichever artifact that stands.
 *
 * D1 an import that meant something means something behind the change, in every artifact.
 * D2 what a change imports by name from an artifact of the project is exported there.
 * D3 a member that is gone is not named behind a dot by an artifact that names what it was a member of: without types nobody can say
 *    that another one is meant.
 */
import { listSymbols, type ProjectArtifact } from '../project/artifact.ts'
import { listDefinitionChanges } from '../project/definition-changes.ts'
import type { Project } from '../project/project.ts'
import { resolveImport } from '../project/resolve-export.ts'
import { listSymbolReferences } from '../project/symbol-references.ts'
import type { Span } from '../text/span.ts'
import type { DeskProblem } from './desk-answer.ts'
import { TextPlaces } from './text-places.ts'

/** Null: everything means what it meant. */
export function findDanglingIn(before: Project, after: Project): DeskProblem | null {
  const gone = listGoneMembers(before, after)
  for (const artifact of after.artifacts.values()) {
    const lost = findLostImport(before, after, artifact) ?? findLostMember(after, artifact, gone)
    if (lost !== null) return describeDangling(artifact, lost)
  }
  return null
}

type Lost = { readonly at: Span; readonly what: string }

function describeDangling({ name, text }: ProjectArtifact, { at, what }: Lost): DeskProblem {
  return {
    code: 'DANGLING_REFERENCE',
    artifact: name,
    detail: `${what} would refer to nothing`,
    at: new TextPlaces(text).find(at.start),
  }
}

type Named = { readonly from: string; readonly name: string | null; readonly at: Span }

/** D1, D2. */
function findLostImport(before: Project, after: Project, artifact: ProjectArtifact): Lost | null {
  const old = before.artifacts.get(artifact.name)
  for (const { from, name, at } of listNamed(artifact)) {
    const isLost = (project: Project): boolean =>
      LOST.has(resolveImport(project, artifact.name, from, name).kind)
    if (!isLost(after)) continue
    const isOld = listNamed(old).some((one) => one.from === from && one.name === name)
    // What meant nothing before is not for this change to repair; a file that is no artifact may be there.
    if (isOld ? !isLost(before) : isModule(after, artifact.name, from))
      return { at, what: `\`${name ?? '*'}\` of \`${from}\`` }
  }
  return null
}

/** Two that export one name export none. */
const LOST: ReadonlySet<string> = new Set(['missing', 'ambiguous'])

/** Whether it says what it exports. */
function isModule(project: Project, artifact: string, from: string): boolean {
  const to = project.resolve(artifact, from)
  return to.kind === 'artifact' && (project.artifacts.get(to.artifact)?.links ?? null) !== null
}

/** Everything that an artifact takes of others by name. */
function listNamed(artifact: ProjectArtifact | undefined): readonly Named[] {
  const { imports, exports, wholes } = artifact?.links ?? { imports: [], exports: [], wholes: [] }
  return [
    ...imports.map(({ from, name, nameSpan, localSpan }) => {
      return { from, name, at: nameSpan ?? localSpan }
    }),
    ...exports.flatMap(({ from, local, localSpan, nameSpan }) => {
      const at = localSpan ?? nameSpan ?? { start: 0, end: 0 }
      return from === null ? [] : [{ from, name: local, at }]
    }),
    ...wholes.flatMap(({ from, taken, at }) => {
      if (from === null) return []
      return [{ from, name: null, at }, ...(taken ?? []).map((one) => ({ ...one, from }))]
    }),
  ]
}

/** D3. */
function findLostMember(
  after: Project,
  { parsed, format, name }: ProjectArtifact,
  members: readonly GoneMember[],
): Lost | null {
  const gone = members.filter((one) => one.artifact !== name)
  if (parsed === null || format?.type !== 'code' || gone.length === 0) return null
  const held = new Set(
    listSymbolReferences(after, name).flatMap(({ to }) =>
      to.kind === 'symbol' ? to.paths.map((path) => `${to.artifact} ${path}`) : [],
    ),
  )
  const names = new Set(
    gone.filter((one) => held.has(`${one.artifact} ${one.holder}`)).map((one) => one.name),
  )
  if (names.size === 0) return null
  let isBehindDot = false
  for (const tile of parsed.tiles) {
    if (tile.kind === 'space' || tile.kind === 'comment') continue
    const word = parsed.text.slice(tile.start, tile.end)
    if (isBehindDot && names.has(word)) return { at: tile, what: `\`.${word}\`` }
    isBehindDot = word === '.'
  }
  return null
}

type GoneMember = {
  readonly artifact: string
  /** The symbol at the top level that it was a member of. */
  readonly holder: string
  readonly name: string
}

function listGoneMembers(before: Project, after: Project): readonly GoneMember[] {
  return listDefinitionChanges(before, after).flatMap(
    ({ artifact, path, name, kind, isMember }) => {
      if (!isMember || kind === 'redefined') return []
      const [holder = ''] = path.split('/')
      const left = listSymbols(after.artifacts.get(artifact)?.parsed?.symbols ?? [])
      const isLeft = left.some((one) => one.name === name && one.path.startsWith(`${holder}/`))
      return isLeft ? [] : [{ artifact, holder, name }]
    },
  )
}
