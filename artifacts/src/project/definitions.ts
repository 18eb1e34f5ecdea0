/** The hashes of all definitions of an artifact, by path. */
import type { Address } from 'rubicon-kernel/canonical'
import { hashContent, hashDefinition } from '../tree/definition-hash.ts'
import { listSymbols, type ProjectArtifact } from './artifact.ts'
import type { Project } from './project.ts'

export type SymbolHashes = { readonly definition: Address; readonly content: Address }

const known = new WeakMap<ProjectArtifact, ReadonlyMap<string, SymbolHashes>>()

export function hashSymbols(project: Project, name: string): ReadonlyMap<string, SymbolHashes> {
  const artifact = project.artifacts.get(name)
  if (artifact === undefined) return new Map()
  const cached = known.get(artifact)
  if (cached !== undefined) return cached
  const hashes = hashAnew(project, artifact)
  known.set(artifact, hashes)
  return hashes
}

function hashAnew(
  { ports: { sha256 } }: Project,
  { parsed, format }: ProjectArtifact,
): ReadonlyMap<string, SymbolHashes> {
  if (parsed === null || format === null) return new Map()
  const rule = { type: format.type, sha256 }
  return new Map(
    listSymbols(parsed.symbols).map((symbol) => [
      symbol.path,
      {
        definition: hashDefinition(parsed, symbol, rule),
        content: hashContent(parsed, symbol, sha256),
      },
    ]),
  )
}
