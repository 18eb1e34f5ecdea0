/** Deltas of a request, by their form. */
import { err, type JsonValue, type Result } from 'rubicon-kernel'
import type { Delta } from '../delta/delta.ts'
import { parseDeltas } from '../delta/parse-delta.ts'
import type { DeskProblem } from './desk-answer.ts'

export function readDeltas(
  deltas: readonly JsonValue[],
  artifact: string,
): Result<readonly Delta[], DeskProblem> {
  const parsed = parseDeltas([...deltas])
  if (parsed.ok) return parsed
  const { pointer, detail } = parsed.error
  const index = Number(/^\/(\d+)/u.exec(pointer)?.[1] ?? Number.NaN)
  return err({
    code: 'DELTA_MALFORMED',
    artifact,
    detail: pointer === '' ? detail : `at \`${pointer}\`: ${detail}`,
    ...(Number.isNaN(index) ? {} : { index }),
  })
}
