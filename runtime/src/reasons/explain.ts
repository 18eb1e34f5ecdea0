/**
 * What a reason code means, offline: the text of the kernel and, in the repository, the example of
 * its page. Codes of a business are registered by contracts; whoever holds those looks them up.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isReasonCode, type JsonValue, REASON_CODES, REASONS, type Reason } from 'rubicon-kernel'

export type ReasonExample = {
  readonly code: string
  readonly kind: string
  /** A sentence that tells the situation. */
  readonly title: string
  readonly input: JsonValue
  readonly common_mistakes?: string
}

export type Explanation = {
  readonly code: string
  readonly reason: Reason
  /** Null where the repository's examples are not at hand. */
  readonly example: ReasonExample | null
}

/** Beside `runtime/` in the repository; a published package does not carry it. */
const EXAMPLES = new URL('../../../testdata/reasons/', import.meta.url)

export function explain(code: string): Explanation | null {
  if (!isReasonCode(code)) return null
  return { code, reason: REASONS[code], example: readExample(code) }
}

function readExample(code: string): ReasonExample | null {
  const file = new URL(`${code}.json`, EXAMPLES)
  return existsSync(file) ? parseExample(readFileSync(file, 'utf8')) : null
}

/** The file is part of the repository; `kernel/src/reason.test.ts` checks its form. */
function parseExample(text: string): ReasonExample {
  return JSON.parse(text) as ReasonExample
}

/** The code that was probably meant; null when none is near. */
export function nearestCode(typed: string, codes: readonly string[] = REASON_CODES): string | null {
  const wanted = typed.trim().toUpperCase().replaceAll('-', '_').slice(0, LONGEST)
  let nearest: string | null = null
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const code of codes) {
    const distance = editDistance(wanted, code)
    if (distance >= least) continue
    nearest = code
    least = distance
  }
  return nearest
}

/** Longer than any code: what lies beyond it cannot bring the two nearer. */
const LONGEST = 64

/** Levenshtein, a row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...a].entries()) {
    const next = [line + 1]
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (row[column] ?? 0) + (letter === b[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
