/** The rules of the shop, as if they stood in files: two in TypeScript, and those of the house in Cedar. */
import type { Policy } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { loadPolicy } from '../../../runtime/src/policies/load-policy.ts'

/** Nobody writes to them. */
export const PRESS = 'press'
/** Who is asked before somebody writes to them; `BOTH` stands for the two of them. */
export const DESK = 'desk'
export const CHIEF = 'chief'
export const BOTH = 'both'
/** Long, so that looking for it in a long text costs more than a decision may. */
const NOT_TO_BE_SAID =
  'what is said in the house stays in the house, and what is said outside is not said here at all'

const TEXT = `
forbid(principal, action == Action::"NOTE", resource)
when { context.params has to && context.params.to == "${PRESS}" };

@require_approval("${DESK}")
forbid(principal, action == Action::"NOTE", resource)
when { context.params has to && (context.params.to == "${DESK}" || context.params.to == "${BOTH}") };

@require_approval("${CHIEF}")
forbid(principal, action == Action::"NOTE", resource)
when { context.params has to && (context.params.to == "${CHIEF}" || context.params.to == "${BOTH}") };

forbid(principal, action == Action::"NOTE", resource)
when { context.params has body && context.params.body like "*${NOT_TO_BE_SAID}*" };
`

const HOUSE = await loadPolicy(
  { name: 'house', text: TEXT, applies_to: ['NOTE'] },
  { sha256: nodeCrypto.sha256 },
)

export function buildShopPolicies(): readonly Policy[] {
  const source = { kind: 'file', language: 'typescript', hash: `sha256:${'0'.repeat(64)}` } as const
  const evaluate: Policy['evaluate'] = () => ({ decision: null })
  const written = ['shop', 'till'].map((name) => ({ name, version: '1', source, evaluate }))
  if (!HOUSE.ok) throw new Error(HOUSE.error.summary)
  return [...written, HOUSE.value]
}
