/** Plans what is put in, with the indent of its place. */
import type { Format } from '../formats/format.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { indentLines, indentTokens, type LineStyle } from './indent-fragment.ts'
import type { PlanResult } from './plan.ts'

/** Where the indent is free, it is known only from the parsed text which lines may be indented. */
export function planFragment(
  fragment: string,
  finish: (text: string) => PlanResult,
  style: LineStyle,
  { indentation }: Format,
): PlanResult {
  if (indentation === 'syntax') return finish(indentLines(fragment, style))
  const first = finish(fragment)
  if (!first.ok || !fragment.includes('\n')) return first
  const { after, splices } = first.value
  const put = listPutSpans(splices).find((span) => span.end - span.start >= fragment.length)
  return put === undefined ? first : finish(indentTokens(fragment, after, put, style))
}
