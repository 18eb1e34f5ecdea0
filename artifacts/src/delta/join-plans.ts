/** Plans that follow each other, as one. */
import { invertSplices, type Splice } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Plan } from './plan.ts'

export function joinPlans(before: ParsedText, plans: readonly Plan[]): Plan {
  const last = plans.at(-1)
  if (last === undefined) return { splices: [], after: before, inverse: [] }
  const splices = findDifference(before.text, last.after.text)
  return { splices, after: last.after, inverse: invertSplices(before.text, splices) }
}

/** By lines, so that a splice of many changes covers whole lines and no part of a character. */
function findDifference(before: string, after: string): readonly Splice[] {
  const [one, other] = [toLines(before), toLines(after)]
  let head = 0
  while (head < one.length && head < other.length && one[head] === other[head]) head += 1
  let tail = 0
  const most = Math.min(one.length, other.length) - head
  while (tail < most && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1
  const start = one.slice(0, head).join('').length
  const cut = one.slice(head, one.length - tail).join('')
  const text = other.slice(head, other.length - tail).join('')
  return cut === text ? [] : [{ start, end: start + cut.length, text }]
}

function toLines(text: string): readonly string[] {
  return text.split(/(?<=\n)/u)
}
