import { readFileSync } from 'node:fs'

/** The version of the package that this file is part of, in the repository and packed. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  const found = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return found ? String(manifest.version) : '0.0.0'
}
