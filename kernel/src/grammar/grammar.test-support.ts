/** Contracts and tools for grammars: a tool is what its parameters and measures are. */
import assert from 'node:assert/strict'
import type { JsonObject } from '../canonical/json-value.ts'
import { sha256 } from '../compile/case.test-support.ts'
import type { Contract } from '../contract/contract.ts'
import { parseContract } from '../contract/parse-contract.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { describeManifest } from '../manifest/describe-manifest.ts'
import { parseManifest } from '../manifest/parse-manifest.ts'
import { buildGrammar, type GrammarInput } from './build-grammar.ts'

export function contractWith(permissions: JsonObject): Contract {
  const result = parseContract({
    agent_id: 'a',
    version: '1.0.0',
    owner: 'o',
    effective_from: '2026-01-01',
    mission: 'm',
    permissions: { policy_kinds: ['PAY'], ...permissions },
  })
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

export function describeTool(
  properties: JsonObject,
  more: JsonObject = {},
  kind = 'PAY',
): CapabilityDescription {
  const manifest = parseManifest({
    manifest: 'rubicon/tool/1',
    kind,
    version: '1',
    summary: 's',
    params: { type: 'object', properties, required: [], additionalProperties: false },
    effect: 'unsafe',
    reversible: false,
    risk: 'low',
    executor: { command: { argv: ['/bin/true'], applied: [0] } },
    ...more,
  })
  assert.ok(manifest.ok, JSON.stringify(manifest))
  return describeManifest(manifest.value, sha256)
}

/** The parameters of its one kind, or the code and what is told. */
export function build(
  contract: Contract,
  tool: CapabilityDescription,
  more: Partial<GrammarInput> = {},
): ReturnType<typeof buildGrammar> {
  return buildGrammar({
    contract,
    kinds: [tool.kind],
    describe: (kind) => (kind === tool.kind ? tool : undefined),
    sha256,
    ...more,
  })
}
