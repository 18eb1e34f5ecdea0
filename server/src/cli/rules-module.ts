/** Loads capabilities, tools and policies from a module of the user's, or tools alone from their file. */
import { access } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type CapabilityDescription,
  checkJson,
  isObject,
  type JsonValue,
  type Policy,
  parseTopics,
  parseTopologies,
  type TopicRow,
  type TopologyRow,
} from 'rubicon-kernel'
import { buildRules, loadToolCapabilities } from 'rubicon-runtime/compose'
import { loadPolicies, type PolicyForm } from 'rubicon-runtime/policies'
import type { Capability, DeclaredSource } from 'rubicon-runtime/ports'
import { explainMissingFile } from 'rubicon-runtime/reasons'
import { nodeCrypto } from 'rubicon-verifier'
import { CliFailure, unwrap } from './failure.ts'
import { type ModuleAdvisers, readAdvisers } from './module-advisers.ts'

export type RulesModule = {
  readonly capabilities: readonly Capability[]
  readonly policies: readonly Policy[]
  readonly topologies?: readonly TopologyRow[]
  readonly topics?: readonly TopicRow[]
  /** Of the demo: a module declares none. */
  readonly sources?: readonly DeclaredSource[]
  /** For a server alone. */
  readonly advisers?: ModuleAdvisers
}

/** What is no module is a tools file: no code, and no policies. */
const TOOLS_FILE = /\.(ya?ml|json)$/

/** Policies in any form; paths begin beside the module. */
export async function loadRules(path: string): Promise<RulesModule> {
  if (TOOLS_FILE.test(path))
    return { capabilities: unwrap(await loadToolCapabilities(path)), policies: [] }
  await assertThere(path)
  let loaded: Record<string, unknown>
  try {
    loaded = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>
  } catch (cause) {
    throw createRulesModuleFailure(path, cause instanceof Error ? cause.message : String(cause))
  }
  const { tools, policies = [], topologies = [], topics = [] } = loaded
  const { capabilities = tools === undefined ? undefined : [] } = loaded
  if (!Array.isArray(capabilities))
    throw createRulesModuleFailure(path, 'it exports no list `capabilities`')
  if (!Array.isArray(policies)) throw createRulesModuleFailure(path, '`policies` is not a list')
  if (!capabilities.every((one) => typeof one === 'object' && one !== null))
    throw createRulesModuleFailure(path, 'something in `capabilities` is no capability')
  const read = readAdvisers(loaded)
  if ('problem' in read) throw createRulesModuleFailure(path, read.problem)
  const folder = dirname(resolve(path))
  const place = { sha256: nodeCrypto.sha256, folder }
  return {
    // Registration reads each of them as strictly as any other.
    capabilities: [...(capabilities as Capability[]), ...(await loadTools(path, tools, folder))],
    policies: unwrap(await loadPolicies(policies as PolicyForm[], place)),
    topologies: unwrap(parseTopologies(readRows(path, 'topologies', topologies))),
    topics: unwrap(parseTopics(readRows(path, 'topics', topics))),
    advisers: read.advisers,
  }
}

/** A module that imports a missing file is another mistake, with the same code of the loader. */
async function assertThere(path: string): Promise<void> {
  try {
    await access(path)
  } catch (cause) {
    const summary = `\`${path}\` cannot be used as rules`
    throw new CliFailure({ code: 'RULES_MODULE', summary, ...explainMissingFile(path, cause) })
  }
}

function readRows(path: string, name: string, rows: unknown): JsonValue {
  const checked = checkJson(rows)
  if (!checked.ok) throw createRulesModuleFailure(path, `\`${name}\` is not a list of rows`)
  return checked.value
}

async function loadTools(
  path: string,
  tools: unknown,
  folder: string,
): Promise<readonly Capability[]> {
  if (tools === undefined) return []
  const checked = checkJson(tools)
  const value = checked.ok ? checked.value : null
  if (typeof value !== 'string' && !isObject(value))
    throw createRulesModuleFailure(
      path,
      '`tools` is neither the path of a tools file nor an object',
    )
  return unwrap(await loadToolCapabilities(value, folder))
}

/** What its capabilities say of themselves. */
export function describeModule({
  capabilities,
  policies,
  topologies,
  topics,
}: RulesModule): readonly CapabilityDescription[] {
  const rules = buildRules(capabilities, policies, topologies, topics)
  return capabilities.flatMap(({ kind }) => rules.capability(kind)?.description ?? [])
}

function createRulesModuleFailure(path: string, why: string): CliFailure {
  return new CliFailure({
    code: 'RULES_MODULE',
    summary: `\`${path}\` cannot be used as rules`,
    why,
    fix: 'export const capabilities = [ … ] or tools = PATH and, if there are any, const policies = [ … ], topologies = [ … ] and topics = [ … ]',
  })
}
