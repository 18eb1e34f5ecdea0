/** Mistakes of one file that change nothing for one reason, a line each. */
import type { Equivalent } from './equivalent.ts'

type Place = readonly [name: string, before: string, after: string, code?: string]

export function listEquivalents(file: string, why: string, places: readonly Place[]): Equivalent[] {
  return places.map(([name, before, after, code]) => {
    const mistake = { file, function: name, before, after, why }
    return code === undefined ? mistake : { ...mistake, code }
  })
}
