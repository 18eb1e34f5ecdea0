/** An OpenID provider of its own on loopback, and a browser that fills in its form. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export type Account = Readonly<Record<string, unknown>>

export type TestProvider = {
  readonly issuer: string
  /** Starts to answer, for a client that is found there. */
  open(clientUrl: string): void
  /** Everything that was signed or handed out there and is secret. */
  readonly secrets: string[]
}

export const CLIENT = { clientId: 'rubicon', clientSecret: 'secret-of-the-client-0123456789' }

export type ProviderOptions = {
  readonly accounts: Readonly<Record<string, Account>>
  /** What is wrong with what it signs. */
  readonly idToken?: 'expired' | 'forged'
}

/** Made once: one takes a while. */
const KEYS = Promise.all([signingKey(), signingKey()])

export async function startProvider(
  t: TestContext,
  { accounts, idToken }: ProviderOptions,
): Promise<TestProvider> {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const issuer = `http://127.0.0.1:${address.port}`
  const secrets: string[] = []
  const [own, other] = await KEYS
  // It says with each start that it is one of a test.
  t.mock.method(console, 'warn', () => {})
  return {
    issuer,
    secrets,
    open(clientUrl) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.clientId,
            client_secret: CLIENT.clientSecret,
            token_endpoint_auth_method: 'client_secret_post',
            redirect_uris: [`${clientUrl}/v1/sign-in/oidc/callback`],
          },
        ],
        claims: { openid: ['sub', 'groups', 'tenants'], email: ['email', 'email_verified'] },
        jwks: { keys: [own] },
        ttl: { IdToken: 600, AccessToken: 600, Session: 600, Interaction: 600, Grant: 600 },
        cookies: { keys: ['a key of the test'] },
        findAccount: (_, sub) => {
          const account = accounts[sub]
          if (account === undefined) return undefined
          return { accountId: sub, claims: () => ({ sub, ...account }) }
        },
      })
      provider.on('grant.success', (ctx) => {
        const body: Readonly<Record<string, unknown>> = Object(ctx.body)
        for (const name of ['access_token', 'id_token', 'refresh_token'])
          if (typeof body[name] === 'string') secrets.push(body[name])
      })
      provider.use(async (ctx, next) => {
        await next()
        if (idToken === undefined || ctx.path !== '/token') return
        const seconds = idToken === 'expired' ? -600 : 600
        const key = idToken === 'forged' ? other : own
        ctx.body = { ...ctx.body, id_token: await signedAgain(ctx.body.id_token, key, seconds) }
      })
      listener = provider.callback()
    },
  }
}

async function signingKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'key-1' }
}

/** The same claims, as of another time or by another key. */
async function signedAgain(token: string, key: JWK, seconds: number): Promise<string> {
  const claims = decodeJwt(token)
  const exp = Math.floor(Date.now() / 1000) + seconds
  return new SignJWT({ ...claims, exp, iat: exp - 600 })
    .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
    .sign(await importJWK(key, 'RS256'))
}

/** A browser: it keeps cookies by host and port, and follows redirects when it is told to. */
export class FormBrowser {
  readonly #jar = new Map<string, Map<string, string>>()

  cookies(url: string): Map<string, string> {
    const { host } = new URL(url)
    const kept = this.#jar.get(host) ?? new Map<string, string>()
    this.#jar.set(host, kept)
    return kept
  }

  async visit(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const jar = this.cookies(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, accept: 'text/html' },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '' || /max-age=0/i.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** From the first page of the sign-in to the address at which the provider sends it back. */
  async signInAs(account: string, start: string): Promise<string> {
    const back = `${new URL(start).origin}/v1/sign-in/oidc/callback`
    let at = start
    for (let step = 0; step < 20; step++) {
      const response = await this.visit(at)
      const location = response.headers.get('location')
      const next = location === null ? await this.#submit(account, at, response) : location
      at = new URL(next, at).href
      if (at.startsWith(back)) return at
    }
    throw new Error(`the provider never sent the browser back; it is at ${at}`)
  }

  async #submit(account: string, at: string, page: Response): Promise<string> {
    const html = await page.text()
    const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]
    assert.ok(action !== undefined, `a form at ${at}: ${html.slice(0, 500)}`)
    const isLogin = html.includes('name="login"')
    const form = isLogin
      ? { prompt: 'login', login: account, password: 'x' }
      : { prompt: 'consent' }
    const submitted = await this.visit(new URL(action, at).href, form)
    const next = submitted.headers.get('location')
    assert.ok(next !== null, `the form leads on: ${submitted.status}`)
    return new URL(next, at).href
  }
}
