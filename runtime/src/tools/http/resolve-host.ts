/**
 * The addresses of a host, each of which was looked at. Who controls a name may answer with an address of ours, and
 * with another one to whoever asks a second time: it is asked once, and only what it said then is connected to.
 */
import { lookup, Resolver } from 'node:dns/promises'
import { LIMITS } from 'rubicon-kernel'
import { NotApplied } from '../../ports/capability.ts'
import { findAddressClass } from './address-class.ts'
import type { HttpAllowance } from './allowance.ts'
import { toLiteralAddress } from './host-name.ts'

export type ResolveHost = (host: string) => Promise<readonly string[]>

export const resolveBySystem: ResolveHost = shareLookups(async (host) => {
  const found = await lookup(host, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
})

/**
 * For names that people give while a server runs: two that no server answers for would take all the threads in which
 * the system asks, and tools would find no host, of other tenants too. Here nobody waits for another, nor for long.
 */
export function createServerLookups(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: ASKED_MS, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return shareLookups(async (host) => {
    const asked = [resolver.resolve4(host), resolver.resolve6(host)]
    const found = await Promise.allSettled(asked)
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  })
}

/** One question to one name server. */
const ASKED_MS = 2_000

export const resolveByNameServers: ResolveHost = createServerLookups()

/**
 * Whoever asks for a host while it is asked for hears the same answer. The system asks in few threads, which files
 * need too: a name that nobody answers for would take all of them, and with them every other tool.
 */
export function shareLookups(resolve: ResolveHost): ResolveHost {
  const underWay = new Map<string, Promise<readonly string[]>>()
  return (host) => {
    const asked = underWay.get(host)
    if (asked !== undefined) return asked
    const answer = resolve(host).finally(() => underWay.delete(host))
    underWay.set(host, answer)
    return answer
  }
}

export async function resolveAllowed(
  { host, addresses }: HttpAllowance,
  resolve: ResolveHost,
): Promise<readonly string[]> {
  const literal = toLiteralAddress(host)
  const found = literal === undefined ? await ask(host, resolve) : [literal]
  const other = found.find((address) => findAddressClass(address) !== addresses)
  if (other !== undefined) {
    const is = findAddressClass(other)
    throw new NotApplied(
      `EGRESS_DENIED: \`${host}\` has an address that is ${is}, not ${addresses}`,
      {
        details: { code: 'EGRESS_DENIED', host, address: other, is, allowed: addresses },
      },
    )
  }
  return found.slice(0, LIMITS.toolAddresses)
}

async function ask(host: string, resolve: ResolveHost): Promise<readonly string[]> {
  const found = await resolve(host).catch(() => [])
  if (found.length > 0) return found
  throw new NotApplied(`\`${host}\` has no address`, {
    transient: true,
    details: { code: 'HOST_UNRESOLVED', host },
  })
}
