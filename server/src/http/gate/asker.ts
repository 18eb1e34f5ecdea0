/** Who asks, as far as others wait for them or are told of them. */
import type { IncomingHttpHeaders } from 'node:http'
import { getPrincipalName, type Principal } from '../../people/principal.ts'
import type { ServerParts } from '../server-parts.ts'
import { getCredential, isOfAgent } from './authenticate.ts'

/** By what is presented, before anything is looked up: neither an agent nor nobody is in a hurry to stop somebody. */
export function isOfPerson(parts: ServerParts, headers: IncomingHttpHeaders): boolean {
  const shown = getCredential(parts, headers)
  return shown !== null && !isOfAgent(shown)
}

/** Whose requests wait behind each other. */
export function getAskerName(
  { engine }: ServerParts,
  principal: Principal,
  address: string,
): string {
  const name = principal.kind === 'stranger' ? address : getPrincipalName(principal)
  return `${engine.context.tenant}/${name}`
}

export function pickAgentId(principal: Principal | undefined): { readonly agent_id?: string } {
  return principal?.kind === 'agent' ? { agent_id: principal.agent_id } : {}
}
