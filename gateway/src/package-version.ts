import { readFileSync } from 'node:fs'

/** The version of this package, in the repository and packed. */
export function readPackageVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const isFound = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isFound ? String(manifest.version) : '0.0.0'
}
