/** Loads capabilities and policies from a module of the user's. */
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Policy } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { loadPolicyFile } from '../policies/policy-file.ts'
import type { Capability } from '../ports/capability.ts'
import { CliFailure, unwrap } from './failure.ts'

export type RulesModule = {
  readonly capabilities: readonly Capability[]
  readonly policies: readonly Policy[]
}

export async function loadRules(path: string): Promise<RulesModule> {
  let loaded: Record<string, unknown>
  try {
    loaded = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>
  } catch (cause) {
    throw refused(path, cause instanceof Error ? cause.message : String(cause))
  }
  const { capabilities, policies = [] } = loaded
  if (!Array.isArray(capabilities)) throw refused(path, 'it exports no list `capabilities`')
  if (!Array.isArray(policies)) throw refused(path, '`policies` is not a list')
  // Registration reads each of them as strictly as any other.
  return { capabilities: capabilities as Capability[], policies: await policiesOf(path, policies) }
}

/** A policy, or the path of a `.cedar` or TypeScript file beside the module: that one is pinned. */
async function policiesOf(path: string, listed: readonly unknown[]): Promise<readonly Policy[]> {
  const policies: Policy[] = []
  for (const one of listed) {
    if (typeof one === 'string')
      policies.push(unwrap(await loadPolicyFile(resolve(dirname(path), one), nodeCrypto.sha256)))
    else policies.push(one as Policy)
  }
  return policies
}

function refused(path: string, why: string): CliFailure {
  return new CliFailure({
    code: 'RULES_MODULE',
    summary: `\`${path}\` cannot be used as rules`,
    why,
    fix: 'export const capabilities = [ … ] and, if there are any, const policies = [ … ]',
  })
}
