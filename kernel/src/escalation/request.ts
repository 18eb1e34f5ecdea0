/**
 * What a person or a parent agent is asked: everything that the decision will be bound to, and
 * nothing that the agent could have chosen.
 */
import type { Address } from '../canonical/address.ts'
import { formatInstant } from '../canonical/time.ts'
import type { Trigger } from '../compile/verdict.ts'
import { getApprovalWindowMs } from '../contract/approval-window.ts'
import type { Contract } from '../contract/contract.ts'
import { LIMITS } from '../limits.ts'
import type { ContractPersons } from '../person/person.ts'
import type { ReasonCode } from '../reason.ts'
import { type AgentPast, type Exposure, type Impact, isForAgents } from './impact.ts'

/**
 * What waits: a proposal, a flow that fell silent, one whose effects keep failing, or one whose agent
 * asks for a person.
 */
export type EscalationKind = 'proposal' | 'silence' | 'failure' | 'asked'

/** Approvals that the rules always ask for have a queue of their own; the rest are exceptions. */
export type EscalationQueue = 'approval' | 'exception'

/** What somebody is asked to decide, as it stands in the ledger. */
export type EscalationRequest = {
  /** Its name. */
  readonly id: string
  /** Why somebody is asked. */
  readonly kind: EscalationKind
  /** The flow that asks. */
  readonly dfid: string
  /** The agent that asks. */
  readonly agent_id: string
  /** The step that is asked about; null: none. */
  readonly step_id: string | null
  /** Which proposal of the flow. */
  readonly attempt: number
  /** What an approval binds to: all that will run. */
  readonly intent_digest: Address
  /** Of the proposal; null: there is none. */
  readonly proposal_hash: Address | null
  /** The rules under which it was asked. */
  readonly rules_hash: string
  /** Why a person has to look. */
  readonly triggers: readonly Trigger[]
  /** The first of these. */
  readonly reason_code: ReasonCode
  /** The contract's own word for it. */
  readonly domain_code?: string
  /** How much care it asks for. */
  readonly impact: Impact
  /** Why so much. */
  readonly impact_reasons: readonly string[]
  /** How much is at stake; null: the capability does not say. */
  readonly exposure: Exposure | null
  /** What the agent had done before, by which `unusual` was judged; null: there is no proposal. */
  readonly past: AgentPast | null
  /** It can be taken back. */
  readonly reversible: boolean
  /** With HIGH_IMPACT: what whoever approves it has to type. */
  readonly acknowledge?: string
  /** Of the facts that it was judged on; null: there is no proposal. */
  readonly facts_digest: Address | null
  /** What the agent saw when it asked, and whoever decides sees. */
  readonly shown_snapshot: string
  /** Where it stands in the inbox. */
  readonly queue: EscalationQueue
  /** How many people have to approve it. */
  readonly needs: number
  /** Their names; empty: anybody who may. */
  readonly approvers: readonly string[]
  /** Who they are, and who answers for the agent: what is compared. */
  readonly persons: ContractPersons
  /** The contract lets whoever answers for the agent approve it, whatever its impact. */
  readonly self_approval?: 'allowed'
  /** When it was asked. */
  readonly requested_at: string
  /** A decision before this was made without reading. */
  readonly not_before: string
  /** When it expires. */
  readonly expires_at: string
  /** Where it is asked. */
  readonly channel: string
}

const ALWAYS_ASKED: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'AUTHORITY_PROPOSE_ONLY',
  'HUMAN_APPROVAL_REQUIRED',
  'APPROVAL_REQUIRED',
])

/** One exception among its triggers makes it an exception. */
export function chooseQueue(triggers: readonly Trigger[]): EscalationQueue {
  return triggers.every(({ code }) => ALWAYS_ASKED.has(code)) ? 'approval' : 'exception'
}

const PERSON = 'operator'

type AskedOf = Pick<EscalationRequest, 'triggers' | 'impact_reasons' | 'needs' | 'approvers'>

/**
 * To an agent, where every trigger goes to that one and an agent may decide it; else to people, first
 * on the channel that a trigger names first.
 */
export function chooseChannel(request: AskedOf): string {
  const named = request.triggers.map(({ channel }) => channel)
  const [first, ...others] = new Set(named)
  const isOne = first !== undefined && others.length === 0
  if (isOne && isAgentChannel(first) && mayAskAgents(request)) return first
  return named.find((channel) => !isAgentChannel(channel)) ?? PERSON
}

/** Where people are told of it: on every channel that a trigger names. Of what an agent is asked, nobody is. */
export function listToldChannels({
  channel,
  triggers,
}: Pick<EscalationRequest, 'channel' | 'triggers'>): readonly string[] {
  if (isAgentChannel(channel)) return []
  return [...new Set([channel, ...triggers.map((one) => toPeopleChannel(one.channel))])]
}

/** Where people are asked by a trigger, once an agent is not. */
export function toPeopleChannel(channel: string): string {
  return isAgentChannel(channel) ? PERSON : channel
}

/** Whom it waits for, by channel: the agent, or all that people are told on. */
export function listAskedChannels(
  request: Pick<EscalationRequest, 'channel' | 'triggers'>,
): readonly string[] {
  return isAgentChannel(request.channel) ? [request.channel] : listToldChannels(request)
}

/** People whom the contract names are not replaced by an agent, and much at stake is for people. */
export function mayAskAgents(request: Omit<AskedOf, 'triggers'>): boolean {
  return request.needs === 1 && request.approvers.length === 0 && isForAgents(request)
}

const AGENT = 'agent:'

export function isAgentChannel(channel: string): boolean {
  return channel.startsWith(AGENT)
}

/** The agent that a channel leads to; undefined: it leads to a person. */
export function findChannelAgent(channel: string): string | undefined {
  return isAgentChannel(channel) ? channel.slice(AGENT.length) : undefined
}

/** The same request, before somebody else: who was asked did not answer, or could not. Reading begins now. */
export function forwardRequest(
  request: EscalationRequest,
  nowMs: number,
  agent?: string,
): EscalationRequest {
  const channel = toChannel(agent)
  return { ...request, channel, not_before: readBy(nowMs, request.impact) }
}

/** To an agent, or where there is none to a person. */
export function toChannel(agent: string | undefined): string {
  return agent === undefined ? PERSON : `${AGENT}${agent}`
}

export type RequestTimes = Pick<EscalationRequest, 'requested_at' | 'not_before' | 'expires_at'>

/** It waits for as long as the contract that its flow is pinned to says. */
export function requestTimes(
  nowMs: number,
  impact: Impact,
  { safety_rules }: Pick<Contract, 'safety_rules'>,
): RequestTimes {
  return {
    requested_at: formatInstant(nowMs),
    not_before: readBy(nowMs, impact),
    expires_at: formatInstant(nowMs + getApprovalWindowMs(safety_rules)),
  }
}

/** The earliest at which somebody who is shown it now has read it. */
export function readBy(nowMs: number, impact: Impact): string {
  return formatInstant(nowMs + (impact === 'HIGH_IMPACT' ? LIMITS.highImpactDwellMs : 0))
}

export type Quorum = Pick<EscalationRequest, 'needs' | 'approvers' | 'self_approval'>

/** Who has to approve, by the contract; one person, whoever it is, where that does not say. */
export function getQuorum({
  safety_rules: { approvers, self_approval },
}: Pick<Contract, 'safety_rules'>): Quorum {
  return {
    needs: approvers?.needs ?? 1,
    approvers: approvers?.of ?? [],
    ...(self_approval === undefined ? {} : { self_approval }),
  }
}
