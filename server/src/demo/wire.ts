/**
 * The far end of a server on loopback, for scenarios: agents with keys and sessions of their own, and
 * people with tokens. What it knows of the runtime it was told over HTTP.
 */
import { randomUUID } from 'node:crypto'
import type { AgentKey } from 'rubicon-agents'
import { escapeControls, hashText } from 'rubicon-kernel'
import { RubiconError, type Runtime } from 'rubicon-runtime/compose'
import { makeAgentKey, requestSigner, signHandshakeBody } from '../http/agent-auth/agent-key.ts'
import { ask, type HttpAnswer } from '../http/agent-auth/client.ts'
import { type RunningServer, startServer } from '../http/server.ts'
import { createPeople, type KnownPerson, mintToken } from '../people/people.ts'
import { PERSON_ROLES } from '../people/principal.ts'

export class Wire {
  readonly #runtime: Runtime
  readonly #server: RunningServer
  readonly #known: KnownPerson[]
  readonly #tokens = new Map<string, string>()
  readonly #keys = new Map<string, AgentKey>()
  readonly #sessions = new Map<string, string>()

  readonly #asked: () => void

  constructor(runtime: Runtime, server: RunningServer, known: KnownPerson[], asked: () => void) {
    this.#runtime = runtime
    this.#server = server
    this.#known = known
    this.#asked = asked
  }

  /** Registers a key for an agent, as whoever runs it would before its first handshake. */
  async meet(agent: string): Promise<void> {
    await this.#ensureKey(agent)
  }

  get(person: string, path: string): Promise<HttpAnswer> {
    return this.#ask({ url: this.#server.url, token: this.#ensureToken(person) }, 'GET', path)
  }

  sendAsPerson(person: string, path: string, body: unknown): Promise<HttpAnswer> {
    const place = { url: this.#server.url, token: this.#ensureToken(person) }
    return this.#ask(place, 'POST', path, { body, headers: createIdempotencyHeader() })
  }

  /** A session that has ended is replaced by a handshake; where that is refused, so is the request. */
  async sendAsAgent(agent: string, path: string, body: unknown): Promise<HttpAnswer> {
    const first = await this.#sendInSession(agent, path, body)
    if (first.status !== 401) return first
    this.#sessions.delete(agent)
    return this.#sendInSession(agent, path, body)
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #sendInSession(agent: string, path: string, body: unknown): Promise<HttpAnswer> {
    const { url } = this.#server
    if (!this.#sessions.has(agent)) {
      const greeted = await this.#requestHandshake(agent)
      if (greeted.status !== 200) return greeted
      this.#sessions.set(agent, greeted.body.session_token)
    }
    const sign = requestSigner(this.#runtime.engine, await this.#ensureKey(agent))
    const place = { url, token: this.#sessions.get(agent) ?? '', sign }
    return this.#ask(place, 'POST', path, { body, headers: createIdempotencyHeader() })
  }

  async #requestHandshake(agent: string): Promise<HttpAnswer> {
    const { engine } = this.#runtime
    const key = await this.#ensureKey(agent)
    const body = await signHandshakeBody(engine, agent, key)
    return this.#ask({ url: this.#server.url }, 'POST', '/v1/agents/handshake', { body })
  }

  #ask(...question: Parameters<typeof ask>): Promise<HttpAnswer> {
    this.#asked()
    return ask(...question)
  }

  async #ensureKey(agent: string): Promise<AgentKey> {
    const known = this.#keys.get(agent)
    if (known !== undefined) return known
    const made = await makeAgentKey(this.#runtime.engine, agent)
    if (!made.ok) throw new RubiconError(made.error)
    this.#keys.set(agent, made.value)
    return made.value
  }

  #ensureToken(person: string): string {
    const known = this.#tokens.get(person)
    if (known !== undefined) return known
    const { random, sha256 } = this.#runtime.engine.context
    const token = mintToken(random)
    this.#tokens.set(person, token)
    this.#known.push({ name: person, roles: PERSON_ROLES, token_hash: hashText(token, sha256) })
    return token
  }
}

/** Every question of a scenario is a new one, also after a restart. */
function createIdempotencyHeader(): Readonly<Record<string, string>> {
  return { 'idempotency-key': randomUUID() }
}

/** `asked` hears of every question that goes over it. */
export async function openWire(runtime: Runtime, asked: () => void): Promise<Wire> {
  const { context } = await runtime.start()
  const known: KnownPerson[] = []
  const started = await startServer(
    {
      engine: runtime.engine,
      people: createPeople(() => known, context.sha256),
      host: '127.0.0.1',
      report: (line) => void process.stderr.write(`${escapeControls(line)}\n`),
    },
    0,
  )
  if (!started.ok) throw new RubiconError(started.error)
  return new Wire(runtime, started.value, known, asked)
}

/** What was asked for, or the exception that the library would have thrown. */
export function unwrapAnswer({ status, body }: HttpAnswer): ReturnType<typeof JSON.parse> {
  if (status < 300) return body
  const { code, detail, fix, meta } = body
  throw new RubiconError({ code, summary: detail, fix, meta })
}
