/** The packages that bring a Node which fits, one for each platform: those that npm installs here. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './shell.ts'

/** Name → version. Of Apple's arm64 only some versions are published, under a longer name. */
export function readNodePackages(): Readonly<Record<string, string>> {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const optional: readonly (readonly [string, string])[] = Object.entries(
    manifest.optionalDependencies,
  )
  return Object.fromEntries(optional.filter(([name]) => /^node-/.test(name)))
}
