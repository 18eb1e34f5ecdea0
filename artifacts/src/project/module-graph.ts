/** Which artifact names which: the edges of a project. */
import type { Span } from '../text/span.ts'
import type { ProjectArtifact } from './artifact.ts'
import type { ExternalModule } from './external-module.ts'
import type { Project, Resolved } from './project.ts'

export type ModuleEdge = {
  readonly artifact: string
  readonly specifier: string
  readonly to: Resolved
}

export type ModuleGraph = {
  /** By artifact, in the order of the text; one an artifact and specifier. */
  readonly edges: ReadonlyMap<string, readonly ModuleEdge[]>
  /** Artifacts that name it. */
  readonly importers: ReadonlyMap<string, readonly string[]>
  readonly externals: ReadonlyMap<string, ExternalModule>
  readonly unresolved: readonly ModuleEdge[]
  /** Modules that are asked for by a name that is computed: nobody can say which. */
  readonly unknown: readonly { readonly artifact: string; readonly at: Span }[]
}

const graphs = new WeakMap<Project, ModuleGraph>()

export function buildModuleGraph(project: Project): ModuleGraph {
  const known = graphs.get(project)
  if (known !== undefined) return known
  const graph = buildAnew(project)
  graphs.set(project, graph)
  return graph
}

function buildAnew(project: Project): ModuleGraph {
  const edges = new Map<string, readonly ModuleEdge[]>()
  const importers = new Map<string, string[]>()
  const externals = new Map<string, ExternalModule>()
  const unresolved: ModuleEdge[] = []
  const unknown: { readonly artifact: string; readonly at: Span }[] = []
  for (const artifact of project.artifacts.values()) {
    const { name } = artifact
    const own = listSpecifiers(artifact).map((specifier): ModuleEdge => {
      return { artifact: name, specifier, to: project.resolve(name, specifier) }
    })
    edges.set(name, own)
    for (const edge of own) {
      const { to } = edge
      if (to.kind === 'unresolved') unresolved.push(edge)
      else if (to.kind === 'external') externals.set(to.external.name, to.external)
      else addOnce(importers, to.artifact, name)
    }
    for (const { from, at } of artifact.links?.wholes ?? [])
      if (from === null) unknown.push({ artifact: name, at })
  }
  return { edges, importers, externals, unresolved, unknown }
}

function listSpecifiers({ links }: ProjectArtifact): readonly string[] {
  if (links === null) return []
  const named = [...links.imports, ...links.exports, ...links.wholes].map(({ from }) => from)
  return [...new Set(named.filter((from) => from !== null))]
}

function addOnce(table: Map<string, string[]>, key: string, value: string): void {
  const values = table.get(key)
  if (values === undefined) table.set(key, [value])
  else if (!values.includes(value)) values.push(value)
}
