import type { Principal } from '../../people/principal.ts'

/** People ask without a session: the engine takes them for somebody inside. */
export function pickSession(principal: Principal): { readonly session?: string } {
  return principal.kind === 'agent' ? { session: principal.session } : {}
}
