/**
 * The tenants that a server has: each with an engine, people, a gate and routes of its own. Nothing of
 * one is reached through another; what they share is the port.
 *
 * T1 a request is for one tenant: the one it names, else the one its cookie is of, else the first.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { parseSessionCookie } from '../people/session-cookie.ts'
import { readSignInCookie } from '../people/sign-in-cookie.ts'
import { getCredential } from './gate/authenticate.ts'
import { Gate } from './gate/gate.ts'
import { Refusals } from './gate/refusals.ts'
import { createAllRoutes } from './routes/all.ts'
import { type PreparedRoute, prepareRoute } from './schemas/prepare-route.ts'
import type { ServerParts, TenantParts } from './server-parts.ts'

export type TenantServer = {
  readonly parts: ServerParts
  readonly gate: Gate
  readonly refusals: Refusals
  /** In the same order for every tenant. */
  readonly routes: readonly PreparedRoute[]
}

export class Tenants {
  /** Whose it is when nobody says. */
  readonly first: TenantServer
  readonly #tenants: ReadonlyMap<string, TenantServer>

  constructor(parts: ServerParts) {
    const { others = [] } = parts
    const served = [parts, ...others]
    const shared = { ...pickShared(parts), served }
    this.first = createTenantServer({ ...parts, others: [], served })
    const beside = others.map((own) => createTenantServer({ ...shared, ...own }))
    this.#tenants = new Map(
      [this.first, ...beside].map((tenant) => [getTenant(tenant.parts), tenant]),
    )
  }

  /** Null: there is no such tenant. */
  findTenant(headers: IncomingHttpHeaders): TenantServer | null {
    const name = getNamedTenant(headers)
    if (name !== null) return this.#tenants.get(name) ?? null
    return this.#tenants.get(this.#findCookieTenant(headers) ?? '') ?? this.first
  }

  /** From now on everybody is sent away. */
  stop(): void {
    for (const { gate } of this.#tenants.values()) gate.stop()
  }

  #findCookieTenant(headers: IncomingHttpHeaders): string | null {
    const { authorization, cookie, host } = headers
    if (authorization !== undefined) return null
    const { publicUrl } = this.first.parts
    // Sent to the pages of the sign-in only.
    const onItsWay = readSignInCookie(cookie, { host, publicUrl })
    if (onItsWay !== null) return onItsWay.tenant
    return parseSessionCookie(getCredential(this.first.parts, headers) ?? '')?.tenant ?? null
  }
}

type SharedParts = Omit<ServerParts, keyof TenantParts | 'others'>

/** What was counted, what is looked up, and what artifacts consist of, is its tenant's: no other inherits it. */
function pickShared(parts: ServerParts): SharedParts {
  const { engine: _, people: __, others: ___, ...rest } = parts
  const { metrics, lookups, artifacts, search, mcp, mcpLists, ...shared } = rest
  return shared
}

function createTenantServer(parts: ServerParts): TenantServer {
  const refusals = new Refusals(parts.engine.context)
  return {
    parts,
    gate: new Gate(parts),
    refusals,
    routes: createAllRoutes(parts).map(prepareRoute),
  }
}

function getTenant({ engine }: TenantParts): string {
  return engine.context.tenant
}

function getNamedTenant(headers: IncomingHttpHeaders): string | null {
  const name = headers['rubicon-tenant']
  return typeof name === 'string' ? name : null
}
