/** How states of the runtime are shown. Each has a word: the protocol's in lower case, unless people have one of their own for it. */

import type { DecisionOutcome, McpServer, McpStanding, MonitorState } from 'rubicon-agents/client'
import type { AgentState, ExecutionStatus, FlowState } from 'rubicon-kernel'
import type { Standing } from './status.tsx'

type Shown = { readonly standing: Standing; readonly word: string }

const FLOWS: Readonly<Record<FlowState, Shown>> = {
  CREATED: { standing: 'running', word: 'created' },
  ACTIVE: { standing: 'running', word: 'active' },
  VALIDATING: { standing: 'running', word: 'validating' },
  ACCEPTED: { standing: 'running', word: 'accepted' },
  EXECUTING: { standing: 'running', word: 'executing' },
  ESCALATED: { standing: 'waiting', word: 'waiting' },
  CLOSED: { standing: 'allowed', word: 'closed' },
  ABORTED: { standing: 'rejected', word: 'aborted' },
}

const EXECUTIONS: Readonly<Record<ExecutionStatus, Shown>> = {
  ACCEPTED: { standing: 'running', word: 'accepted' },
  DISPATCHED: { standing: 'running', word: 'dispatched' },
  SUCCESS: { standing: 'allowed', word: 'success' },
  FAILED: { standing: 'rejected', word: 'failed' },
  UNKNOWN: { standing: 'unknown', word: 'unknown' },
  NOT_APPLIED: { standing: 'repeated', word: 'not applied' },
  MANUAL_REVIEW: { standing: 'waiting', word: 'manual review' },
  ABANDONED: { standing: 'rejected', word: 'abandoned' },
}

const AGENTS: Readonly<Record<AgentState, Shown>> = {
  INITIALIZING: { standing: 'repeated', word: 'initializing' },
  ACTIVE: { standing: 'allowed', word: 'active' },
  // It goes on; how many of its requests wait stands beside it.
  ESCALATED: { standing: 'allowed', word: 'active' },
  SUSPENDED: { standing: 'rejected', word: 'suspended' },
  RETIRED: { standing: 'repeated', word: 'retired' },
}

const MONITORS: Readonly<Record<MonitorState, Shown>> = {
  OK: { standing: 'allowed', word: 'ok' },
  WARNING: { standing: 'waiting', word: 'warning' },
  TRIPPED: { standing: 'rejected', word: 'tripped' },
  NO_DATA: { standing: 'unknown', word: 'no data' },
  PAUSED: { standing: 'repeated', word: 'paused' },
}

const DECISIONS: Readonly<Record<DecisionOutcome['outcome'], Shown>> = {
  ACCEPTED: { standing: 'allowed', word: 'accepted' },
  REJECTED: { standing: 'rejected', word: 'rejected' },
  ESCALATED: { standing: 'waiting', word: 'sent to a person' },
}

const TOOLS: Readonly<Record<McpStanding, Shown>> = {
  agreed: { standing: 'allowed', word: 'approved' },
  unreviewed: { standing: 'waiting', word: 'not classified' },
  changed: { standing: 'rejected', word: 'changed' },
  gone: { standing: 'rejected', word: 'gone' },
  new: { standing: 'waiting', word: 'new' },
  refused: { standing: 'rejected', word: 'cannot be governed' },
  unknown: { standing: 'unknown', word: 'unknown' },
}

const SERVERS: Readonly<Record<McpServer['status'], Shown>> = {
  connected: { standing: 'allowed', word: 'connected' },
  waiting: { standing: 'waiting', word: 'ended, started again later' },
  absent: { standing: 'repeated', word: 'not started yet' },
}

export function getToolStanding(state: string): Shown {
  return lookUp(TOOLS, state)
}

export function getServerStanding(status: string): Shown {
  return lookUp(SERVERS, status)
}

export function getAgentStanding(state: string): Shown {
  return lookUp(AGENTS, state)
}

export function getMonitorStanding(state: string): Shown {
  return lookUp(MONITORS, state)
}

export function getDecisionStanding(outcome: string): Shown {
  return lookUp(DECISIONS, outcome)
}

export function getFlowStanding(state: string): Shown {
  return lookUp(FLOWS, state)
}

export function getExecutionStanding(status: string): Shown {
  return lookUp(EXECUTIONS, status)
}

/** A newer server may know states that this page does not: they are shown, and said to be unknown. */
function lookUp(table: Readonly<Record<string, Shown>>, state: string): Shown {
  const known = Object.hasOwn(table, state) ? table[state] : undefined
  return known ?? { standing: 'unknown', word: state.toLowerCase() }
}
