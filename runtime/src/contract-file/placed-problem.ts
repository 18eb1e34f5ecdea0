/**
 * A problem of a document, with its place, as people read it. It imports nothing: whatever shows a
 * failure shows these too, also where the runtime is not loaded.
 */
import type { Failure } from 'rubicon-kernel'

/** In a text: file, line, column and a dotted path. In an object, which has no lines, a JSON pointer. */
export type PlacedProblem = {
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly path: string
  readonly detail: string
}

/** The problems of a failure, one a line, where its summary does not have them all. */
export function listProblemLines({ meta }: Failure): readonly string[] {
  const problems: readonly unknown[] = Array.isArray(meta?.problems) ? meta.problems : []
  return problems.length > 1 ? problems.filter(isPlaced).map(formatProblem) : []
}

function isPlaced(problem: unknown): problem is PlacedProblem {
  if (typeof problem !== 'object' || problem === null) return false
  if (!('path' in problem && 'detail' in problem)) return false
  return typeof problem.path === 'string' && typeof problem.detail === 'string'
}

/** `agent.yaml:3:1: permissions.limits[0].max: must be …`, which editors can follow. */
export function formatProblem({ file, line, column, path, detail }: PlacedProblem): string {
  const place = file === undefined ? '' : `${file}:${line}:${column}: `
  return `${place}${path === '' ? '' : `${path}: `}${detail}`
}
