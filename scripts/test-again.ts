/** What of a run with failures is run once more. */
import { resolve } from 'node:path'
import type { Program } from './test-groups.ts'

/** More of them are no matter of chance. */
const AT_MOST = 24

export type Again = {
  /** What failed: a test file, or a whole program that ended otherwise than its tests. */
  readonly entry: string
  readonly files: readonly string[]
}

/**
 * Of a program all files, for nobody knows in which of them an error began that nobody took, nor which of them
 * it left undone. Null: what failed is too much, or nothing that is known here.
 */
export function planAgain(
  failedIn: ReadonlySet<string>,
  programs: readonly Program[],
): readonly Again[] | null {
  const ended = programs.filter(({ path }) =>
    [...failedIn].some((entry) => resolve(entry) === path),
  )
  const whole = new Set(ended.flatMap(({ files }) => files))
  const single = [...failedIn].filter((entry) => entry.endsWith('.test.ts'))
  if (single.length + ended.length < failedIn.size) return null
  const plan = [
    ...single.filter((file) => !whole.has(file)).map((file) => ({ entry: file, files: [file] })),
    ...ended.map(({ files }) => ({ entry: `the program of ${files[0]}`, files })),
  ]
  return plan.length > AT_MOST ? null : plan.toSorted((a, b) => (a.entry < b.entry ? -1 : 1))
}
