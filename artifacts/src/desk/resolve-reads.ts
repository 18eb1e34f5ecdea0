/** What a change relies on in other artifacts: resolved when it is planned, and held against them when it is applied. */
import type { ReadClaim } from 'rubicon-kernel'
import { toPathText, toSegments } from '../claims/symbol-segments.ts'
import type { Project } from '../project/project.ts'
import { resolveImport } from '../project/resolve-export.ts'
import { hashDefinition, hashHeader } from '../tree/definition-hash.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { DeskProblem } from './desk-answer.ts'
import { formatName } from './name-symbols.ts'

/** Each read of an export, with the symbols that it means in the project. What means none stays as it is written. */
export function resolveReads(
  reads: readonly ReadClaim[],
  artifact: string,
  project: Project,
): readonly ReadClaim[] {
  const resolved = reads.flatMap((read): readonly ReadClaim[] => {
    if (read.kind !== 'export') return [read]
    const target = resolveImport(project, artifact, read.from, read.name)
    if (target.kind !== 'symbol') return [read]
    return [read, ...target.paths.flatMap((path) => readForeign(project, target.artifact, path))]
  })
  return [...new Map(resolved.map((read) => [JSON.stringify(read), read])).values()]
}

/** Of what has members that others may add to, the header: which of them are meant, only types could say. */
function readForeign(project: Project, artifact: string, path: string): readonly ReadClaim[] {
  for (const part of ['header', 'definition'] as const) {
    const hash = hashForeign(project, artifact, path, part)
    if (hash !== null) return [{ kind: 'symbol', artifact, path: toSegments(path), part, hash }]
  }
  return []
}

/** Null: there is no such symbol, or it is read by its other part. */
function hashForeign(
  { artifacts, ports }: Project,
  artifact: string,
  path: string,
  part: 'header' | 'definition',
): string | null {
  const { parsed, format } = artifacts.get(artifact) ?? { parsed: null, format: null }
  if (parsed === null || format === null) return null
  const found = findSymbol(parsed, path)
  if (!found.ok) return null
  const { kind, container } = found.value
  const isOpen = container !== null && kind !== 'enum' && kind !== 'interface'
  if (isOpen !== (part === 'header')) return null
  const rule = { type: format.type, sha256: ports.sha256 }
  return isOpen ? hashHeader(parsed, found.value, rule) : hashDefinition(parsed, found.value, rule)
}

/** Null: what it relies on in other artifacts is as it was. */
export function checkForeignReads(
  reads: readonly ReadClaim[],
  artifact: string,
  project: Project,
): DeskProblem | null {
  const changed = reads.flatMap((read) => {
    if (read.kind !== 'symbol' || (read.artifact ?? artifact) === artifact) return []
    const { artifact: holder = artifact, path, part, hash } = read
    const isSame = hashForeign(project, holder, toPathText(path), part) === hash
    return isSame ? [] : [formatName(holder, path)]
  })
  if (changed.length === 0) return null
  const names = changed.map((name) => `\`${name}\``).join(', ')
  const detail = `what it refers to has changed since: ${names}`
  return { code: 'DELTA_STALE', artifact, detail, candidates: changed }
}
