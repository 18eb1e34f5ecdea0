/** Loads capabilities and policies from a module of the user's. */
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CapabilityDescription, Policy } from 'rubicon-kernel'
import { buildRules } from 'rubicon-runtime/compose'
import { loadPolicies, type PolicyForm } from 'rubicon-runtime/policies'
import type { Capability, DeclaredSource } from 'rubicon-runtime/ports'
import { nodeCrypto } from 'rubicon-verifier'
import { CliFailure, unwrap } from './failure.ts'

export type RulesModule = {
  readonly capabilities: readonly Capability[]
  readonly policies: readonly Policy[]
  /** Of the demo: a module declares none. */
  readonly sources?: readonly DeclaredSource[]
}

/** Policies in any form; paths begin beside the module. */
export async function loadRules(path: string): Promise<RulesModule> {
  let loaded: Record<string, unknown>
  try {
    loaded = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>
  } catch (cause) {
    throw createRulesModuleFailure(path, cause instanceof Error ? cause.message : String(cause))
  }
  const { capabilities, policies = [] } = loaded
  if (!Array.isArray(capabilities))
    throw createRulesModuleFailure(path, 'it exports no list `capabilities`')
  if (!Array.isArray(policies)) throw createRulesModuleFailure(path, '`policies` is not a list')
  if (!capabilities.every((one) => typeof one === 'object' && one !== null))
    throw createRulesModuleFailure(path, 'something in `capabilities` is no capability')
  const place = { sha256: nodeCrypto.sha256, folder: dirname(resolve(path)) }
  return {
    // Registration reads each of them as strictly as any other.
    capabilities: capabilities as Capability[],
    policies: unwrap(await loadPolicies(policies as PolicyForm[], place)),
  }
}

/** What its capabilities say of themselves. */
export function describeModule({
  capabilities,
  policies,
}: RulesModule): readonly CapabilityDescription[] {
  const rules = buildRules(capabilities, policies)
  return capabilities.flatMap(({ kind }) => rules.capability(kind)?.description ?? [])
}

function createRulesModuleFailure(path: string, why: string): CliFailure {
  return new CliFailure({
    code: 'RULES_MODULE',
    summary: `\`${path}\` cannot be used as rules`,
    why,
    fix: 'export const capabilities = [ … ] and, if there are any, const policies = [ … ]',
  })
}
