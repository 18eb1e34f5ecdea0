/** What is wrong with a document, each problem with its place, as editors follow it. */
import type { Failure } from 'rubicon-kernel'
import type { DevProblem } from './worker-messages.ts'

export function toFileProblems(
  folder: string,
  file: string,
  { summary, why, meta }: Failure,
): readonly DevProblem[] {
  const problems: readonly unknown[] = Array.isArray(meta?.problems) ? meta.problems : []
  const placed = problems.flatMap((one) => parsePlaced(one, file))
  if (placed.length > 0) return placed
  const short = summary.replaceAll(`${folder}/`, '')
  const detail = why === undefined || why === '' ? short : `${short}: ${why}`
  return [{ file, line: null, detail }]
}

function parsePlaced(problem: unknown, file: string): readonly DevProblem[] {
  if (typeof problem !== 'object' || problem === null || !('detail' in problem)) return []
  const line = 'line' in problem && typeof problem.line === 'number' ? problem.line : null
  const path = 'path' in problem && typeof problem.path === 'string' ? problem.path : ''
  return [{ file, line, detail: `${path === '' ? '' : `${path}: `}${String(problem.detail)}` }]
}
