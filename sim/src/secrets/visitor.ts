/** A person who looks at everything that the server shows, and signs in every way there is. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from 'rubicon-kernel'
import type { SearchedPlace } from './search.ts'

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> }

export class Visitor {
  readonly places: SearchedPlace[] = []
  /** Cookies that were set, which are credentials. */
  readonly cookies: string[] = []
  readonly #url: string
  readonly #token: string
  readonly #gone = new AbortController()
  #following: Promise<void> = Promise.resolve()

  constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  /** Hears what happens from now on. */
  follow(): void {
    this.#following = this.#read('events', '/v1/events', this.#gone.signal)
  }

  async leave(): Promise<void> {
    this.#gone.abort()
    await this.#following
  }

  /** Every page that can be looked at, with what is known put into its path. */
  async visitAll(agent: string): Promise<void> {
    const document = JSON.parse(await this.get('/openapi.json')) as Document
    const flows = listMatches(await this.get('/v1/flows?limit=1000'), /"dfid":"([^"]+)"/g)
    const ledger = await this.get('/v1/ledger/export')
    const keys = listMatches(await this.get('/v1/keys'), /"key_id":"([^"]+)"/g)
    const asked = listMatches(await this.get('/v1/escalations'), /"id":"([^"]+)"/g)
    for (const [path, methods] of Object.entries(document.paths)) {
      if (!('get' in methods) || NOT_PAGES.includes(path)) continue
      if (path.includes('{dfid}/generations')) continue
      const values = path.includes('{dfid}')
        ? flows
        : path.startsWith('/v1/keys/')
          ? keys
          : path.startsWith('/v1/escalations/')
            ? asked
            : [path.startsWith('/v1/trajectories/') ? 'main' : agent]
      const isOpen = path.includes('{')
      for (const value of isOpen ? values : ['']) await this.get(path.replace(/\{\w+\}/, value))
    }
    for (const line of ledger.split('\n')) await this.#visitGeneration(line)
  }

  async #visitGeneration(line: string): Promise<void> {
    const [, id] = /\\?"generation_id\\?":\\?"([^"\\]+)/.exec(line) ?? []
    const [, dfid] = /"dfid":"([^"]+)"/.exec(line) ?? []
    if (id !== undefined && dfid !== undefined)
      await this.get(`/v1/flows/${dfid}/generations/${id}`)
  }

  /** With the token, with half of it, and through a provider that answers badly. */
  async trySigningIn(): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    for (const token of [this.#token, `${this.#token.slice(0, -3)}xyz`]) {
      const init = { method: 'POST', headers, body: JSON.stringify({ token }) }
      this.#keepCookies(await this.#ask('POST /v1/session', '/v1/session', init))
    }
    const begun = await this.#ask('sign-in', '/v1/sign-in/oidc', { redirect: 'manual' })
    const state = new URL(begun.headers.get('location') ?? 'http://x').searchParams.get('state')
    const cookie = begun.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    await this.#ask('callback', `/v1/sign-in/oidc/callback?code=c&state=${state}`, {
      headers: { cookie },
      redirect: 'manual',
    })
  }

  /** Sets channels up, tries each, and looks what is shown of it. */
  async tryChannels(channels: readonly JsonObject[]): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${this.#token}`,
    }
    for (const channel of channels) {
      const body = JSON.stringify(channel)
      await this.#ask('POST /v1/channels', '/v1/channels', { method: 'POST', headers, body })
      const path = `/v1/channels/${channel.name}`
      await this.#ask(`POST ${path}/test`, `${path}/test`, { method: 'POST', headers, body: '{}' })
      await this.get(path)
    }
    await this.get('/v1/channels')
  }

  #keepCookies({ headers }: Response): void {
    for (const set of headers.getSetCookie()) {
      const [, value = ''] = /^[^=]+=([^;]*)/.exec(set) ?? []
      if (value !== '') this.cookies.push(value)
    }
  }

  async get(path: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.#token}` }
    // Where it leads to is somebody else's.
    const response = await this.#ask(`GET ${path}`, path, { headers, redirect: 'manual' })
    return response.text()
  }

  async #ask(name: string, path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(`${this.#url}${path}`, init)
    const copy = response.clone()
    const text = `${response.status} ${JSON.stringify([...response.headers])}\n${await copy.text()}`
    this.places.push({ name, bytes: Buffer.from(text) })
    return response
  }

  async #read(name: string, path: string, signal: AbortSignal): Promise<void> {
    const parts: Uint8Array[] = []
    const headers = { authorization: `Bearer ${this.#token}`, accept: 'text/event-stream' }
    try {
      const { body } = await fetch(`${this.#url}${path}`, { headers, signal })
      for await (const part of body ?? []) parts.push(part)
    } catch {
      // It ends when the server does, or whoever listens.
      await sleep(0)
    }
    this.places.push({ name, bytes: Buffer.concat(parts) })
  }
}

/** One that does not end. */
const NOT_PAGES: readonly string[] = ['/v1/events']

function listMatches(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []))]
}
