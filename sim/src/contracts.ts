/** The agents of the storm, and the contracts they work under. */
import { type Contract, type JsonObject, parseContract } from 'rubicon-kernel'

const ALL = ['LOOKUP', 'PUT', 'PAY', 'ORDER', 'WIRE', 'STOCK', 'WITHDRAW', 'TRADE', 'HEDGE']

export const AGENTS = ['trader', 'clerk', 'keeper'] as const
export type AgentName = (typeof AGENTS)[number]

const KINDS: Readonly<Record<AgentName, readonly string[]>> = {
  trader: ALL,
  clerk: ['LOOKUP', 'PAY', 'ORDER', 'WIRE', 'TRADE'],
  keeper: ['LOOKUP', 'PUT', 'STOCK', 'ORDER', 'HEDGE'],
}

/** How far the outside may move, and how old it may be: loose, unsaid, and hardly at all. */
const MOVES: Readonly<Record<AgentName, JsonObject>> = {
  trader: { drift_envelope: { price_pct: '1', spread_abs: '0.02' }, max_state_age_ms: 30_000 },
  clerk: {},
  keeper: { drift_envelope: { price_bps: 40, held: 'strict' }, max_state_age_ms: 120_000 },
}

export const MAX_AMOUNT = 40
/** Of reasoning, a flow. */
export const MAX_TOKENS = 10_000

const parsed = new Map<string, Contract>()

export function contractOf(agent: AgentName, patch: number, usd: string): Contract {
  const name = `${agent} ${patch} ${usd}`
  const known = parsed.get(name) ?? parseOne(agent, patch, usd)
  parsed.set(name, known)
  return known
}

function parseOne(agent: AgentName, patch: number, usd: string): Contract {
  const document: JsonObject = {
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id: agent,
    version: `1.0.${patch}`,
    owner: 'jane.doe@example.com',
    effective_from: '2026-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: `${agent} keeps the shop running`,
    permissions: {
      policy_kinds: [...KINDS[agent]],
      limits: [
        ...(KINDS[agent].includes('PAY')
          ? [
              {
                id: 'amount',
                measure: 'amount',
                max: String(MAX_AMOUNT),
                applies_to: ['PAY', 'WIRE', 'TRADE'],
              },
            ]
          : []),
        {
          id: 'many',
          measure: 'quantity',
          max: '50',
          applies_to: ['ORDER'],
          on_breach: 'escalate',
        },
      ],
    },
    safety_rules: {
      min_confidence_threshold: 0.8,
      escalate_on_uncertainty: 0.4,
      requires_human_approval: agent === 'trader' ? ['WITHDRAW'] : [],
      budget_per_flow: { usd, tokens: MAX_TOKENS },
    },
    jit_verification: MOVES[agent],
  }
  const contract = parseContract(document)
  if (!contract.ok) throw new Error(JSON.stringify(contract.error))
  return contract.value
}
