/** The agents of the storm, and the contracts they work under. */
import { type Contract, type JsonObject, parseContract } from 'rubicon-kernel'
import { createCanary } from './canary.ts'
import {
  CRAFTERS,
  type CrafterName,
  READING_KINDS,
  WRITABLE,
  WRITING_KINDS,
} from './crafts/craft-project.ts'
import { TOOL_KINDS } from './tools.ts'

/** Those who act by themselves. */
export const AGENTS = ['trader', 'clerk', 'keeper', 'builder'] as const
export type AgentName = (typeof AGENTS)[number]

/** The one above some of them: it answers what they ask, and chooses what is taken back. */
export const DESK = 'desk'
/** And the one above that: it is asked where the desk says nothing, or may not. */
const HEAD = 'head'
/** Decides in streams, under atoms; and decides with proofs. They are there in some seeds only. */
export const STREAMER = 'streamer'
export const BANKER = 'banker'
/** Whose clients ask for one thing twice; in some seeds only, too. */
export const CALLER = 'caller'
export type ContractName =
  | AgentName
  | CrafterName
  | typeof DESK
  | typeof HEAD
  | typeof STREAMER
  | typeof BANKER
  | typeof CALLER
export const EVERYBODY: readonly ContractName[] = [HEAD, DESK, ...AGENTS]

export const OWNER = 'jane.doe@example.com'
/** Those who may approve what the trader asks; it takes two of them. One has two names there. */
export const APPROVERS: readonly string[] = [
  'ann@example.com',
  'bob@example.com',
  'cyd@example.com',
]

export const MAX_AMOUNT = 40
/** Beyond it an order needs somebody; the desk may order a little more. */
export const MAX_QUANTITY = 50
const DESK_QUANTITY = 54
const HEAD_QUANTITY = 58
/** From there on an order is much, which only people let through. */
export const MUCH = 52
/** Of reasoning, a flow. */
export const MAX_TOKENS = 10_000

const ALL = ['LOOKUP', 'PUT', 'PAY', 'ORDER', 'WIRE', 'STOCK', 'WITHDRAW', 'TRADE', 'HEDGE']

/** What is done to artifacts, and what is tried in a branch, whether it may happen there or not. */
const CRAFTS: readonly string[] = [
  ...WRITING_KINDS,
  ...READING_KINDS,
  ...['LOOKUP', 'PAY', 'ORDER', 'STOCK', 'SHELVE', 'SPAWN_CHILD', 'COMPENSATE'],
]

const KINDS: Readonly<Record<ContractName, readonly string[]>> = {
  desk: [
    'LOOKUP',
    'PAY',
    'ORDER',
    'STOCK',
    'RESOLVE_ESCALATION',
    'COMPENSATE',
    'SPAWN_CHILD',
    'SPAWN_INSTANCE',
  ],
  head: ['LOOKUP', 'PAY', 'ORDER', 'RESOLVE_ESCALATION'],
  trader: [...ALL, 'COMPENSATE', 'SPAWN_CHILD', 'SPAWN_INSTANCE'],
  clerk: ['LOOKUP', 'PAY', 'ORDER', 'WIRE', 'TRADE'],
  keeper: ['LOOKUP', 'PUT', 'STOCK', 'ORDER', 'HEDGE', 'HALT'],
  builder: ['LOOKUP', 'PAY', 'ORDER', 'STOCK', 'PUT', 'TRADE', 'SPAWN_CHILD', 'COMPENSATE'],
  streamer: ['LOOKUP', 'PAY', 'ORDER', 'STOCK', 'TRADE', 'WIRE'],
  banker: ['LOOKUP', 'PAY', 'ORDER', 'STOCK', 'TRADE', 'WIRE'],
  caller: ['PAY', 'ORDER', 'WIRE'],
  mason: CRAFTS,
  joiner: CRAFTS,
  painter: CRAFTS,
}

/** How far the outside may move, and how old it may be: loose, unsaid, and hardly at all. */
const MOVES: Readonly<Record<ContractName, JsonObject>> = {
  head: {},
  desk: {},
  trader: {
    drift_envelope: {
      price_pct: { max: '1', applies_to: ['TRADE', 'HEDGE'] },
      spread_abs: { max: '0.02', applies_to: ['TRADE'] },
    },
    max_state_age_ms: 30_000,
  },
  clerk: {},
  keeper: {
    drift_envelope: {
      price_bps: { max: 40, applies_to: ['HEDGE'] },
      held: { max: 'strict', applies_to: ['HEDGE'] },
    },
    max_state_age_ms: 120_000,
  },
  builder: {},
  streamer: {},
  banker: {
    drift_envelope: { price_pct: { max: '1', applies_to: ['TRADE'] } },
    max_state_age_ms: 120_000,
  },
  caller: {},
  mason: {},
  joiner: {},
  painter: {},
}

/** When people are asked, by how many of them, and how often. */
const ASKS: Readonly<Record<ContractName, JsonObject>> = {
  head: {},
  desk: {},
  trader: {
    requires_human_approval: ['WITHDRAW'],
    approvers: { needs: 2, of: [...APPROVERS, 'ann.lee@example.com'] },
    escalations_per_hour: 12,
    approval_window_s: 7_200,
  },
  clerk: {
    escalations_per_hour: 8,
    pause_on_escalation: true,
    budget_per_agent: { window_s: 60, calls: 4, usd: '60' },
  },
  keeper: { escalations_per_hour: 1, approval_window_s: 900 },
  builder: { escalations_per_hour: 12, silence_watchdog: { minutes: 2, scope: 'agent' } },
  streamer: { budget_per_agent: { window_s: 60, calls: 30, usd: '400' } },
  banker: {},
  caller: { escalations_per_hour: 100 },
  mason: {},
  joiner: {},
  painter: {},
}

/** Who comes first where several answer one event; the others are equal. */
const PRIORITIES: Partial<Readonly<Record<ContractName, number>>> = { keeper: 20, trader: 80 }

/** Whom an alarm wakes; the keeper may halt what the others want. */
const ALARMED: readonly ContractName[] = ['trader', 'clerk', 'keeper']

const parsed = new Map<string, Contract>()

/** `from`: when it begins to hold, where that is not from the start. */
export function getStormContract(
  agent: ContractName,
  patch: number,
  usd: string,
  from = '2026-01-01',
): Contract {
  const name = `${agent} ${patch} ${usd} ${from}`
  const known = parsed.get(name) ?? parseOne(agent, patch, usd, from)
  parsed.set(name, known)
  return known
}

function parseOne(agent: ContractName, patch: number, usd: string, from: string): Contract {
  const document: JsonObject = {
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id: agent,
    version: `1.0.${patch}`,
    owner: OWNER,
    effective_from: from,
    role: 'EXECUTOR',
    ...(PRIORITIES[agent] === undefined ? {} : { priority: PRIORITIES[agent] }),
    authority: 'EXECUTE_LIMITED',
    ...getParentMember(agent),
    mission: `${agent} keeps the shop running ${createCanary('mission')}`,
    permissions: {
      policy_kinds: listKinds(agent),
      limits: buildLimits(agent),
      ...getScopes(agent),
      ...(ALARMED.includes(agent) ? { subscriptions: [{ topic: 'alarm.*' }] } : {}),
    },
    safety_rules: {
      min_confidence_threshold: 0.8,
      escalate_on_uncertainty: 0.4,
      budget_per_flow: { usd, tokens: MAX_TOKENS },
      rejections_per_hour: agent === 'keeper' ? 40 : 100_000,
      ...ASKS[agent],
    },
    jit_verification: MOVES[agent],
    compensation: agent === 'keeper' ? ['REVERT'] : ['REVERT', 'CLOSE_ALL'],
  }
  const contract = parseContract(document)
  if (!contract.ok) throw new Error(JSON.stringify(contract.error))
  return contract.value
}

/** Whoever acts by itself may use tools, too. */
function listKinds(agent: ContractName): readonly string[] {
  const isAbove = agent === DESK || agent === HEAD
  return [...new Set([...KINDS[agent], ...(isAbove ? [] : TOOL_KINDS)])]
}

/** What of artifacts it may write and read. */
function getScopes(agent: ContractName): JsonObject {
  const crafter = CRAFTERS.find((name) => name === agent)
  if (crafter === undefined) return {}
  const symbols = { allow: [...WRITABLE[crafter]], applies_to: [...WRITING_KINDS] }
  const read_symbols = { allow: ['*'], applies_to: [...READING_KINDS] }
  return { resources: { symbols, read_symbols } }
}

/** They answer to people only. */
const WITHOUT_PARENT: readonly ContractName[] = [HEAD, 'keeper', BANKER, CALLER]

function getParentMember(agent: ContractName): JsonObject {
  if (WITHOUT_PARENT.includes(agent)) return {}
  return { parent_agent: agent === DESK ? HEAD : DESK }
}

function buildLimits(agent: ContractName): readonly JsonObject[] {
  const spends = KINDS[agent].filter((kind) => ['PAY', 'WIRE', 'TRADE'].includes(kind))
  const above = { desk: DESK_QUANTITY, head: HEAD_QUANTITY } as const
  const isAbove = agent === DESK || agent === HEAD
  const max = String(isAbove ? above[agent] : MAX_QUANTITY)
  const many = { id: 'many', measure: 'quantity', max, applies_to: ['ORDER'] }
  const amount = { id: 'amount', measure: 'amount', max: String(MAX_AMOUNT), applies_to: spends }
  // Nobody has to believe what the builder says of itself: it does not trade.
  const calm = { field: 'claims.builder.calm', expected: true, applies_to: ['TRADE'] }
  return [
    ...(agent === 'builder' ? [{ id: 'calm', kind: 'state_match', ...calm }] : []),
    ...(spends.length === 0 ? [] : [amount]),
    isAbove ? many : { ...many, on_breach: 'escalate' },
  ]
}
