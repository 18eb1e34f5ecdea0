/**
 * What a reason code means, offline: the text of the kernel and, the example of its
 * page. Codes of a business are registered by contracts; whoever holds those looks them up.
 */
import { existsSync, readFileSync } from 'node:fs'
import {
  findNearest,
  isReasonCode,
  type JsonValue,
  REASON_CODES,
  REASONS,
  type Reason,
  type ReasonCode,
} from 'rubicon-kernel'

export type ReasonExample = {
  readonly code: string
  readonly kind: string
  /** A sentence that tells the situation. */
  readonly title: string
  readonly input: JsonValue
  readonly common_mistakes?: string
  /** Why nothing produces the code yet. */
  readonly todo?: string
}

export type ReasonExplanation = {
  readonly code: ReasonCode
  readonly reason: Reason
  /** Null where the examples are not at hand. */
  readonly example: ReasonExample | null
}

/** Beside `runtime/` in the repository, inside the package when it was published. */
const EXAMPLES: readonly URL[] = [
  new URL('../../../testdata/reasons/', import.meta.url),
  new URL('../../testdata/reasons/', import.meta.url),
]

export function explain(code: string): ReasonExplanation | null {
  if (!isReasonCode(code)) return null
  return { code, reason: REASONS[code], example: readExample(code) }
}

function readExample(code: string): ReasonExample | null {
  const file = EXAMPLES.map((folder) => new URL(`${code}.json`, folder)).find(existsSync)
  return file === undefined ? null : parseExample(readFileSync(file, 'utf8'))
}

/** The file is part of the repository; `kernel/src/reason.test.ts` checks its form. */
function parseExample(text: string): ReasonExample {
  return JSON.parse(text) as ReasonExample
}

/** The code that was probably meant; null when none is near. */
export function findNearestCode(
  typed: string,
  codes: readonly string[] = REASON_CODES,
): string | null {
  const wanted = typed.slice(0, LONGEST).trim().toUpperCase().replaceAll('-', '_')
  return findNearest(wanted, codes) ?? null
}

/** Longer than any code: what lies beyond it cannot bring the two nearer. */
const LONGEST = 64
