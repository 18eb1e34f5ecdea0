/** The far end of the server: agents with keys and sessions of their own, people with tokens. */
import { randomUUID } from 'node:crypto'
import type { AgentKey } from 'rubicon-agents'
import { hashText } from 'rubicon-kernel'
import { compromiseKey } from '../../../runtime/src/engine/authority/keys.ts'
import type { Engine } from '../../../runtime/src/engine/engine.ts'
import {
  makeAgentKey,
  requestSigner,
  signHandshakeBody,
} from '../../../server/src/http/agent-auth/agent-key.ts'
import { ask, type HttpAnswer } from '../../../server/src/http/agent-auth/client.ts'
import type { Method } from '../../../server/src/http/schemas/route.ts'
import type { RunningServer } from '../../../server/src/http/server.ts'
import { createPeople, type KnownPerson, type People } from '../../../server/src/people/people.ts'
import { PERSON_ROLES } from '../../../server/src/people/principal.ts'

export class Wire {
  readonly engine: Engine
  readonly #server: RunningServer
  readonly #known: KnownPerson[]
  readonly #keys = new Map<string, AgentKey>()
  readonly #sessions = new Map<string, string>()

  constructor(engine: Engine, server: RunningServer, known: KnownPerson[]) {
    this.engine = engine
    this.#server = server
    this.#known = known
  }

  /** As any agent, over the wire; a session that ended is replaced. */
  async sendAs(
    agent: string,
    method: Method,
    path: string,
    body?: unknown,
    key: string = randomUUID(),
  ): Promise<HttpAnswer> {
    const first = await this.#sendInSession(agent, method, path, body, key)
    if (first.status !== 401) return first
    this.#sessions.delete(agent)
    return this.#sendInSession(agent, method, path, body, key)
  }

  async getSession(agent: string): Promise<string> {
    const known = this.#sessions.get(agent)
    if (known !== undefined) return known
    const body = await signHandshakeBody(this.engine, agent, await this.getKey(agent))
    const shaken = await ask({ url: this.url }, 'POST', '/v1/agents/handshake', { body })
    const token = String(shaken.body.session_token ?? '')
    if (shaken.status === 200) this.#sessions.set(agent, token)
    return token
  }

  /** One that counts now: sessions end after half a day, and when their agent is stopped. */
  async getLiveSession(agent: string): Promise<string> {
    const token = await this.getSession(agent)
    if ((await this.engine.session(token)).ok) return token
    this.#sessions.delete(agent)
    return this.getSession(agent)
  }

  async getKey(agent: string): Promise<AgentKey> {
    const known = this.#keys.get(agent)
    if (known !== undefined) return known
    const made = await makeAgentKey(this.engine, agent)
    if (!made.ok) throw new Error(made.error.summary)
    this.#keys.set(agent, made.value)
    return made.value
  }

  /** An operator says that somebody else has the key of an agent; the next one is another. */
  async loseKey(agent: string): Promise<void> {
    const { key_id } = await this.getKey(agent)
    const lost = await compromiseKey(this.engine.context, key_id, 0)
    if (!lost.ok) throw new Error(lost.error.summary)
    this.#keys.delete(agent)
    this.#sessions.delete(agent)
  }

  get url(): string {
    return this.#server.url
  }

  /** Whose tokens count, at every server of the shop. */
  get people(): People {
    return createPeople(() => this.#known, this.engine.context.sha256)
  }

  /** Somebody whose token was made elsewhere. */
  admit(person: KnownPerson): void {
    this.#known.push(person)
  }

  /** The token of a login; several may belong to one human. */
  getToken(name: string): string {
    const token = `token-of-${name}-${'x'.repeat(32)}`
    const token_hash = hashText(token, this.engine.context.sha256)
    if (!this.#known.some((known) => known.token_hash === token_hash))
      this.#known.push({ name, roles: PERSON_ROLES, token_hash })
    return token
  }

  /** As a person. */
  sendAsPerson(name: string, method: Method, path: string, body?: unknown): Promise<HttpAnswer> {
    const headers = method === 'GET' ? {} : { 'idempotency-key': randomUUID() }
    const question = body === undefined ? { headers } : { body, headers }
    return ask({ url: this.url, token: this.getToken(name) }, method, path, question)
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #sendInSession(
    agent: string,
    method: Method,
    path: string,
    body: unknown,
    key: string,
  ): Promise<HttpAnswer> {
    const token = await this.getSession(agent)
    const sign = requestSigner(this.engine, await this.getKey(agent))
    const headers = { 'idempotency-key': key }
    return ask({ url: this.url, token, sign }, method, path, {
      ...(body === undefined ? {} : { body }),
      ...(method === 'GET' ? {} : { headers }),
    })
  }
}
