/** Policies in files, pinned by their bytes: `.cedar` text, or a TypeScript module. */
import { readFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { err, type Failure, hex, ok, type Policy, type Result, type Sha256 } from 'rubicon-kernel'
import { cedarPolicy } from './cedar.ts'

/**
 * Loads a policy. A TypeScript module exports `policy` with `name`, `version`, `evaluate` and
 * perhaps `applies_to`; its source is replaced by the hash of the file as it was read.
 */
export async function loadPolicyFile(
  path: string,
  sha256: Sha256,
): Promise<Result<Policy, Failure>> {
  const absolute = resolve(path)
  let bytes: Uint8Array
  try {
    bytes = await readFile(absolute)
  } catch {
    return err({
      code: 'FILE_UNREADABLE',
      summary: `\`${path}\` cannot be read`,
      fix: 'check the path',
    })
  }
  const name = basename(path, extname(path))
  if (extname(path) === '.cedar')
    return cedarPolicy({ name, version: '1', text: new TextDecoder().decode(bytes) }, sha256)
  const module: unknown = await import(pathToFileURL(absolute).href)
  const policy = parsePolicy(module)
  if (policy === null)
    return err({
      code: 'POLICY_INVALID',
      summary: `\`${path}\` does not export a \`policy\``,
      fix: 'export const policy = { name, version, evaluate }',
    })
  const hash = `sha256:${hex(sha256(bytes))}`
  return ok({ ...policy, source: { kind: 'file', language: 'typescript', hash } })
}

function parsePolicy(module: unknown): Policy | null {
  if (typeof module !== 'object' || module === null || !('policy' in module)) return null
  const { policy } = module
  if (typeof policy !== 'object' || policy === null) return null
  const { name, version, evaluate } = policy as Partial<Policy>
  if (typeof name !== 'string' || typeof version !== 'string' || typeof evaluate !== 'function')
    return null
  return policy as Policy
}
