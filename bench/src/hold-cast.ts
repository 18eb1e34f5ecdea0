/** Who acts in `bench hold`, and what they may do: a capability of long texts, with a rule that looks into them. */
import type { JsonObject } from 'rubicon-kernel'
import type { Capability } from 'rubicon-runtime'

export const QUIET = 'quiet_bot'
export const NOISY = 'noisy_bot'
/** One for each suspension. */
export const STOPPED: readonly string[] = Array.from({ length: 10 }, (_, i) => `stopped_${i}`)

export const LONG_TEXT = 150_000

export const capabilities: readonly Capability[] = [
  {
    kind: 'TELL',
    summary: 'tell a customer something',
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    idempotency: { carrier: 'Idempotency-Key', window_s: 86_400 },
    touches: 'none',
    params: {
      type: 'object',
      properties: {
        // Of the kind that an engine with backtracking never ends on.
        item: { type: 'string', pattern: '^(a+)+b?$' },
        parts: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true },
      },
      required: ['item'],
      additionalProperties: false,
    },
    measures: {},
    execute: () => ({ result: {}, delta: [] }),
  },
]

export const policies: readonly { readonly name: string; readonly text: string }[] = [
  {
    name: 'words',
    text: `@id("swearing") forbid(principal, action, resource)
when { context.params.item like "*${'a'.repeat(40)}b*${'a'.repeat(40)}c" };`,
  },
]

export function buildHoldContract(agent_id: string): JsonObject {
  return {
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id,
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2025-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: 'Tell customers what they want to know.',
    permissions: { policy_kinds: ['TELL'] },
    safety_rules: { rejections_per_hour: 10_000_000, max_intent_retries: 1_000 },
  }
}
