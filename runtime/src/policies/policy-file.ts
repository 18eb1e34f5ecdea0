/** Policies in files, pinned by their bytes: `.cedar` text, or a TypeScript module. */
import { readFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { err, type Failure, hex, ok, type Policy, type Result, type Sha256 } from 'rubicon-kernel'
import { cedarDraft, cedarPolicy } from './cedar.ts'

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
  if (extname(path) === '.cedar') {
    const options = { name, version: '1', text: new TextDecoder().decode(bytes) }
    // Tried first where it breaks nothing: a text that is nested too deeply breaks its evaluator.
    const tried = cedarDraft(options, sha256)
    return tried.ok ? cedarPolicy(options, sha256) : tried
  }
  const module = await imported(absolute)
  if (!module.ok)
    return err({ code: 'POLICY_INVALID', summary: `\`${path}\` cannot be loaded: ${module.error}` })
  const policy = parsePolicy(module.value)
  if (policy === null)
    return err({
      code: 'POLICY_INVALID',
      summary: `\`${path}\` does not export a \`policy\``,
      fix: 'export const policy = { name, version, evaluate }',
    })
  const hash = `sha256:${hex(sha256(bytes))}`
  return ok({ ...policy, source: { kind: 'file', language: 'typescript', hash } })
}

async function imported(path: string): Promise<Result<unknown, string>> {
  try {
    return ok(await import(pathToFileURL(path).href))
  } catch (cause) {
    if (!(cause instanceof Error)) return err(String(cause))
    // Where a module cannot be parsed, Node writes the place before everything else.
    const line = (cause.stack ?? '').split('\n', 1)[0]?.match(/:(\d+)$/)?.[1]
    return err(line === undefined ? cause.message : `line ${line}: ${cause.message}`)
  }
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
