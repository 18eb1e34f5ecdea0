import { existsSync, readFileSync } from 'node:fs'

/** Data that others published; beside the checkout, not in it. */
const FOLDER = new URL('../../../shared/vectors/', import.meta.url)

/**
 * The parsed file, or undefined where the folder is absent: the test then skips and says so. In CI
 * an absent file is a failure, because a check that silently stops checking is worse than none.
 */
export function readVectors(name: string): unknown {
  const file = new URL(name, FOLDER)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  if (process.env.CI === 'true') throw new Error(`vectors missing: \`${file.pathname}\``)
  return undefined
}
