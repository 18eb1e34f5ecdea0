/**
 * Hashes that follow references: that of an artifact changes with everything that it refers to, near or far.
 *
 * M1 artifacts that refer to each other in a circle are one unit; a member is the unit's hash and its place among the members.
 * M2 what is not of the project counts with the hash that it was locked with.
 * M3 an import that means nothing counts with its specifier: it is not the same as none.
 */
import { type Address, computeAddress, type JsonValue } from 'rubicon-kernel/canonical'
import { listComponents } from './components.ts'
import { buildModuleGraph, type ModuleEdge } from './module-graph.ts'
import type { Project } from './project.ts'

export type ArtifactHash = {
  /** Of its bytes alone. */
  readonly content_hash: Address
  /** Of the unit that it is in, with everything that the unit refers to. */
  readonly component_hash: Address
  /** Its place among the members of the unit. */
  readonly index: number
}

export function hashArtifacts(project: Project): ReadonlyMap<string, ArtifactHash> {
  const { edges } = buildModuleGraph(project)
  const listNext = (name: string): readonly string[] =>
    (edges.get(name) ?? []).flatMap(({ to }) => (to.kind === 'artifact' ? [to.artifact] : []))
  const hashes = new Map<string, ArtifactHash>()
  for (const members of listComponents([...project.artifacts.keys()], listNext)) {
    const contents = members.map((name) => hashText(project, name))
    const unit = members.map((name, i): JsonValue => {
      const reached = (edges.get(name) ?? []).map((edge) => writeEdge(edge, members, hashes))
      return [name, contents[i] ?? '', [...reached].sort(compareTexts)]
    })
    const component_hash = computeAddress('artifact_component', unit, project.ports.sha256)
    for (const [index, name] of members.entries()) {
      const content_hash = contents[index] ?? hashText(project, name)
      hashes.set(name, { content_hash, component_hash, index })
    }
  }
  return hashes
}

/** Of the text of an artifact; one that is not there has the hash of none. */
export function hashText(project: Project, name: string): Address {
  const text = project.artifacts.get(name)?.text ?? null
  return computeAddress('artifact', text, project.ports.sha256)
}

/** A member of the same unit counts with its place, all others with their hashes. */
function writeEdge(
  { specifier, to }: ModuleEdge,
  members: readonly string[],
  hashes: ReadonlyMap<string, ArtifactHash>,
): readonly string[] {
  if (to.kind === 'unresolved') return ['unresolved', specifier]
  if (to.kind === 'external') return ['external', to.external.name, to.external.hash]
  const index = members.indexOf(to.artifact)
  if (index >= 0) return ['member', String(index)]
  const hash = hashes.get(to.artifact)
  return ['artifact', hash?.component_hash ?? '', String(hash?.index ?? 0)]
}

function compareTexts(one: readonly string[], other: readonly string[]): number {
  return one.join('\n') < other.join('\n') ? -1 : 1
}
