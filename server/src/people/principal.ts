/** Whoever asks: a person with roles, a source of facts, an agent in a session, a client of the gateway, or nobody yet. */
import type { Identity } from 'rubicon-kernel'

/** `mcp`: a client of the gateway, whose token is for its door and nothing else. */
export type Role = 'operator' | 'approver' | 'auditor' | 'source' | 'agent' | 'mcp'

export type PersonRole = Exclude<Role, 'agent' | 'mcp'>
export const PERSON_ROLES: readonly PersonRole[] = ['operator', 'approver', 'auditor']
/** Has a token as people do, under the name of the source, and no other role: it is nobody. */
export const SOURCE_ROLE = 'source' as const

export function isSource(roles: readonly PersonRole[]): boolean {
  return roles.includes(SOURCE_ROLE)
}

export type Person = {
  readonly kind: 'person'
  readonly name: string
  /** How they are called, where the name is a number somewhere else. */
  readonly shown?: string
  /** What they came by; a token of that name, where it is not said. */
  readonly login?: Identity
  /** An address that their provider verified, and is trusted to. */
  readonly mail?: string
  readonly roles: readonly PersonRole[]
  /** Of a browser; without one a token came with the request. */
  readonly session?: BrowserSession
  /** The local operator; everybody else came with a token or through a provider. */
  readonly local?: LocalOperator
}

/**
 * Whoever opened the store and its keys in this process, or can open the socket beside those keys. They could sign
 * anything, and so are asked for no more than that: they vouch for the name they give, and change what is the machine's own. `unnamed`: they gave none, and what
 * they have signed names nobody.
 */
export type LocalOperator = 'named' | 'unnamed'

export type BrowserSession = {
  /** Hash of the cookie. */
  readonly key: string
  /** What our own pages are told, and send with whatever changes something. */
  readonly csrf: string
  readonly expires_at: string
}

export type AgentInSession = {
  readonly kind: 'agent'
  readonly agent_id: string
  /** The token, for the engine, which checks it again with every call. */
  readonly session: string
  /** What its requests are signed with. */
  readonly key: { readonly key_id: string; readonly public_key: string }
}

/** A client of the gateway: it calls tools in the name of one agent, and may do nothing else. */
export type McpClient = { readonly kind: 'mcp'; readonly agent_id: string }

export type Principal = Person | AgentInSession | McpClient | { readonly kind: 'stranger' }

export function hasRole(principal: Principal, roles: readonly Role[]): boolean {
  if (principal.kind === 'stranger') return false
  if (principal.kind === 'agent' || principal.kind === 'mcp') return roles.includes(principal.kind)
  return principal.roles.some((role) => roles.includes(role))
}

/** Who is named in what an operator signs; agents sign for themselves. */
export function toSignedBy(principal: Principal): { readonly by?: string } {
  if (principal.kind !== 'person' || principal.local === 'unnamed') return {}
  return { by: principal.name }
}

export function isLocalOperator(principal: Principal): boolean {
  return principal.kind === 'person' && principal.local !== undefined
}

export function formatAgentName(agent_id: string): string {
  return `agent ${agent_id}`
}

/** Under which its requests are counted and its replies kept. */
export function getPrincipalName(principal: Principal): string {
  switch (principal.kind) {
    case 'agent':
      return formatAgentName(principal.agent_id)
    case 'mcp':
      return `mcp client of ${principal.agent_id}`
    case 'person':
      // Whoever has a token of that name is somebody else.
      return `${isLocalOperator(principal) ? 'local operator' : 'person'} ${principal.name}`
    case 'stranger':
      return 'stranger'
  }
}
