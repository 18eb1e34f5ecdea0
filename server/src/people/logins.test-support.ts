/** A server with people who come by tokens, and by logins of a provider. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Contract, type JsonObject, parseContract } from 'rubicon-kernel'
import { buildRefundsContract } from '../demo/refunds.ts'
import { createMovableClock } from '../demo/stage.ts'
import { ask, type HttpAnswer, type HttpPlace } from '../http/agent-auth/client.ts'
import { freshKey, get, type Served, served } from '../http/served.test-support.ts'
import { OpenId } from './oidc.ts'
import type { OidcOptions } from './oidc-options.ts'
import { type Account, CLIENT, FormBrowser, startProvider } from './provider.test-support.ts'

export const MINUTE = 60_000
export const OWNER = 'jane.doe@example.com'
const JANE: Account = { groups: ['managers'], email: OWNER, email_verified: true }

export type Stage = {
  readonly stage: Served
  readonly issuer: string
  /** Somebody who comes through the provider. */
  signedIn(account: string): Promise<Asking>
}

/** Asks as one login of somebody. */
export type Asking = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => Promise<HttpAnswer>

export function asking(place: HttpPlace): Asking {
  return (method, path, body) =>
    ask(place, method, path, { headers: freshKey(), ...(body === undefined ? {} : { body }) })
}

export function contractWith(change: JsonObject): Contract {
  const read = parseContract({ ...(buildRefundsContract() as unknown as JsonObject), ...change })
  assert.ok(read.ok, JSON.stringify(read))
  return read.value
}

export async function withProvider(
  t: TestContext,
  contract: JsonObject,
  more: Partial<OidcOptions> = {},
  accounts: Readonly<Record<string, Account>> = { jane: JANE },
): Promise<Stage> {
  const provider = await startProvider(t, { accounts })
  const roles = { approver: ['managers'] }
  const options = { issuer: provider.issuer, ...CLIENT, roles, tenant: 'default', ...more }
  const parts = { oidc: new OpenId(options) }
  const contracts = [contractWith(contract)]
  const clock = createMovableClock()
  const stage = await served(t, { parts, contracts, clock })
  provider.open(stage.server.url)
  const { url } = stage.server
  const signedIn = async (account: string): Promise<Asking> => {
    const browser = new FormBrowser()
    await browser.visit(await browser.signInAs(account, `${url}/v1/sign-in/oidc`))
    const cookie = [...browser.cookies(url)].map(([name, value]) => `${name}=${value}`).join('; ')
    const { body } = await get({ url }, '/v1/session', { headers: { cookie } })
    const headers = { cookie, origin: url, 'rubicon-csrf': body.csrf }
    return (method, path, body) =>
      ask({ url }, method, path, {
        headers: { ...headers, ...freshKey() },
        ...(body === undefined ? {} : { body }),
      })
  }
  const ahead: Served = {
    ...stage,
    async propose(...asked) {
      const answer = await stage.propose(...asked)
      // Long enough to have read what has a high impact.
      clock.ahead(MINUTE)
      return answer
    },
  }
  return { stage: ahead, issuer: provider.issuer, signedIn }
}
