import { existsSync, readFileSync } from 'node:fs'

/** What others published; beside the checkout, not in it. */
const VECTORS = new URL('../../../shared/vectors/', import.meta.url)

/**
 * Why a test that reads it is not run: a clone alone has nothing beside it. `npm test` counts these
 * apart, and says once that they were not run. Where the folder is, an absent file is a failure.
 */
export const withoutVectors: string | false =
  !existsSync(VECTORS) && 'NOT BESIDE: there is no ../shared/vectors beside this checkout'

/** The parsed file; undefined where nothing is beside the checkout. */
export function readVectors(name: string): unknown {
  if (withoutVectors !== false) return undefined
  return JSON.parse(readFileSync(new URL(name, VECTORS), 'utf8'))
}
