/**
 * The session of an agent over HTTP, and what is asked in it.
 *
 * Boundary: it holds a token and where the agent stands. What is asked, and what answers mean, is said elsewhere.
 *
 * W1 nothing but a handshake is sent while the agent is in safe mode: whoever speaks another version proposes nothing.
 * W2 a session that has ended is renewed, and what was refused for it is asked once more; it was not heard before.
 * W3 of handshakes that are needed at the same moment one is made.
 * W4 a signature that is refused for its time is an error of its own, and is not tried again with the same clock.
 * W5 what was refused because too much is asked at once was not heard: it is asked again, later each time.
 * W6 nobody waits for ever for a runtime that says nothing: not whoever shakes hands, takes up flows, or leaves.
 */
import { type JsonObject, parseInstant } from 'rubicon-kernel/canonical'
import type { HandshakePlace, HandshakeTerms } from 'rubicon-kernel/keys'
import type { ProofCarryingIntent } from 'rubicon-kernel/proposal'
import type { ConnectionState } from '../agent/agent-connection.ts'
import { AgentError, ClientClockError, SafeModeError, toAgentError } from '../agent/agent-error.ts'
import { type AgentKey, type Signing, signHandshake, signProposal } from '../agent-key.ts'
import {
  type AnyProblem,
  type ClientAnswer,
  type ClientCall,
  createCall,
  type Headed,
  type Sent,
} from '../call.ts'
import { type Client, createClient, type GetPolicySchemaReply } from '../generated.ts'
import { type ProofGround, proveIntent } from '../prove-intent.ts'
import { createAgentHeaders } from '../sign-request.ts'
import { isBusy, isLost, isOtherVersion, isRefusedForGood, isSessionOver } from './problem-kinds.ts'
import { selectAnswer } from './select-answer.ts'
import { toClockedError } from './to-clocked-error.ts'

export type AgentWireOptions = {
  readonly url: string
  readonly key: AgentKey
  readonly place: HandshakePlace
  /** Beside the signature, such as the tenant. */
  readonly headers: Headed
  readonly terms: HandshakeTerms
  readonly now: () => number
  readonly fetch?: typeof fetch
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onState: (state: ConnectionState) => void
}

const RETRY_LEAST_MS = 1_000
const RETRY_MOST_MS = 60_000
/** How often a lost answer is asked for again. */
const LOST_MOST = 3
/** How often it is asked again where too much is asked at once: for half a minute. */
const BUSY_MOST = 5
/** Whoever has said nothing for so long is not there. */
const SILENT_MS = 30_000
/** Whoever leaves waits no longer for the farewell: without it the session ends by itself. */
const FAREWELL_MS = 5_000
/** Renewed so long before it ends. */
const RENEW_MS = 300_000

export class AgentWire {
  readonly client: Client
  /** For what the client has no name for. */
  readonly call: ClientCall
  /** How a proposal is written and which kinds there are, as the runtime said at the last handshake. */
  schema: GetPolicySchemaReply | null = null
  readonly #options: AgentWireOptions
  /** For handshakes, which no session goes with. */
  readonly #stranger: Client
  readonly #ended = new AbortController()
  #state: ConnectionState = { kind: 'ended', problem: null }
  #token = ''
  #renewAt = 0
  #renewing: Promise<void> | null = null

  constructor(options: AgentWireOptions) {
    this.#options = options
    const { url, fetch } = options
    const place = { url, ...(fetch === undefined ? {} : { fetch }) }
    this.#stranger = createClient({ ...place, headers: () => options.headers })
    const signed = { ...place, headers: (sent: Sent) => this.signHeaders(sent) }
    this.client = createClient(signed)
    this.call = createCall(signed)
  }

  /** Who asks. */
  get agent(): string {
    return this.#options.terms.agent
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** The first handshake. Another version is no error: the agent is in safe mode. */
  async start(): Promise<void> {
    const problem = await this.#performHandshake()
    if (problem === null) return
    if (!isOtherVersion(problem)) throw this.#toError(problem)
    this.#enterSafeMode(problem)
  }

  /** A session that counts. */
  async ensureSession(): Promise<void> {
    const { kind } = this.#state
    if (kind !== 'ready') throw this.#buildPassiveError()
    if (this.#options.now() >= this.#renewAt) await this.#renew(this.#token)
  }

  async signHeaders(sent: Sent): Promise<Headed> {
    const { url, key } = this.#options
    const session = { url, key, token: this.#token, signing: () => this.#createSigning() }
    return { ...this.#options.headers, ...(await createAgentHeaders(session)(sent)) }
  }

  /** What was answered, also where it is a refusal of the runtime; what could not be asked is thrown. */
  async ask<Body>(
    work: (client: Client) => Promise<ClientAnswer<Body>>,
    signal?: AbortSignal,
  ): Promise<ClientAnswer<Body>> {
    for (let refusals = 0; ; refusals++) {
      const answer = await this.#askInSession(work)
      if (answer.ok || !isBusy(answer.problem) || refusals >= BUSY_MOST) return answer
      // Not all that were refused at the same moment ask again at the same one.
      await this.wait(RETRY_LEAST_MS * 2 ** refusals * (0.5 + Math.random() / 2), signal)
      if (signal?.aborted === true || this.#ended.signal.aborted) return answer
    }
  }

  async #askInSession<Body>(
    work: (client: Client) => Promise<ClientAnswer<Body>>,
  ): Promise<ClientAnswer<Body>> {
    await this.ensureSession()
    const token = this.#token
    const first = await work(this.client)
    if (first.ok) return first
    if (isSessionOver(first.problem)) await this.#renew(token)
    // A runtime that has just started hears nothing from before its start, whatever the clock.
    else if (first.problem.code === 'PROOF_STALE') this.#checkClock(first.problem)
    else return first
    const second = await work(this.client)
    if (!second.ok && second.problem.code === 'PROOF_STALE') throw this.#toError(second.problem)
    return second
  }

  /** Under one `Idempotency-Key`: a lost answer is asked for again, and nothing is done twice. */
  async askOnce<Body>(
    work: (client: Client, key: string) => Promise<ClientAnswer<Body>>,
    signal?: AbortSignal,
  ): Promise<ClientAnswer<Body>> {
    const key = crypto.randomUUID()
    let lost: ClientAnswer<Body> | null = null
    for (let failures = 0; ; failures++) {
      // A request that was lost may never have been heard: whoever has given up does not send it again.
      signal?.throwIfAborted()
      const asked = this.ask((client) => work(client, key), signal)
      const answer: ClientAnswer<Body> =
        lost === null ? await asked : await selectAnswer(asked, lost)
      if (answer.ok || !isLost(answer.problem) || failures >= LOST_MOST) return answer
      lost = answer
      await this.wait(RETRY_LEAST_MS * 2 ** failures, signal)
    }
  }

  /** The same, where every refusal is an error. */
  async perform<Body>(work: (client: Client) => Promise<ClientAnswer<Body>>): Promise<Body> {
    const answer = await this.ask(work)
    if (!answer.ok) throw toAgentError(answer.problem)
    return answer.body
  }

  /** With the signature of its key, whole as it is. */
  proveIntent(ground: ProofGround, proposal: JsonObject): Promise<ProofCarryingIntent> {
    return proveIntent(this.#options.key, ground, proposal)
  }

  signProposal(proposal: JsonObject): Promise<JsonObject> {
    return signProposal(this.#options.key, proposal)
  }

  /** Until so much time has passed, the connection has ended, or whoever waits gives up. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    const ended = this.#ended.signal
    return this.#options.wait(ms, signal === undefined ? ended : AbortSignal.any([ended, signal]))
  }

  /** Ends with the connection, and where an answer takes too long. */
  createPatience(): AbortSignal {
    return AbortSignal.any([this.#ended.signal, AbortSignal.timeout(SILENT_MS)])
  }

  /** A new session, where one has ended; false: it would not help, or there is none. */
  async recover(problem: AnyProblem): Promise<boolean> {
    // Signed before the runtime started; whoever's clock is wrong hears the same again.
    if (problem.code === 'PROOF_STALE') return !(this.#toError(problem) instanceof ClientClockError)
    if (!isSessionOver(problem)) return false
    await this.#renew(this.#token).catch(() => undefined)
    return !this.#ended.signal.aborted && this.#state.kind !== 'ended'
  }

  /** Nothing more is sent. */
  async end(): Promise<void> {
    const isOpen = this.#state.kind === 'ready'
    this.#ended.abort()
    this.#setState({ kind: 'ended', problem: null })
    if (isOpen) await this.client.endAgentSession({ signal: AbortSignal.timeout(FAREWELL_MS) })
  }

  #renew(used: string): Promise<void> {
    // Somebody else has renewed it meanwhile.
    if (used !== this.#token) return Promise.resolve()
    // Or has found that there is none to be had, and tries by itself.
    if (this.#state.kind !== 'ready') return Promise.reject(this.#buildPassiveError())
    this.#renewing ??= this.#renewSession().finally(() => {
      this.#renewing = null
    })
    return this.#renewing
  }

  async #renewSession(): Promise<void> {
    const problem = await this.#performHandshake()
    if (problem === null) return
    if (isOtherVersion(problem)) {
      this.#enterSafeMode(problem)
      throw this.#buildPassiveError()
    }
    if (isRefusedForGood(problem)) this.#setState({ kind: 'ended', problem })
    throw this.#toError(problem)
  }

  /** Null: there is a session, and it is known what the runtime offers. */
  async #performHandshake(): Promise<AnyProblem | null> {
    const { key, place, terms, now } = this.#options
    const body = await signHandshake(key, place, terms, this.#createSigning())
    const shaken = await this.#stranger.shakeHands({ body, signal: this.createPatience() })
    if (!shaken.ok) return shaken.problem
    const { session_token, expires_at } = shaken.body
    this.#token = session_token
    this.#renewAt = Math.max(now(), (parseInstant(expires_at) ?? 0) - RENEW_MS)
    const schema = await this.client.getPolicySchema({ signal: this.createPatience() })
    if (!schema.ok) return schema.problem
    this.schema = schema.body
    this.#setState({ kind: 'ready' })
    return null
  }

  #enterSafeMode(problem: AnyProblem): void {
    this.#setState({ kind: 'safe', problem, retry_ms: RETRY_LEAST_MS })
    void this.#leaveSafeMode(problem)
  }

  /** Longer with each failure, and not for all agents at the same time. */
  async #leaveSafeMode(first: AnyProblem): Promise<void> {
    const { signal } = this.#ended
    let problem: AnyProblem | null = first
    for (let failures = 0; problem !== null; failures++) {
      const longest = Math.min(RETRY_MOST_MS, RETRY_LEAST_MS * 2 ** failures)
      const retry_ms = Math.round(longest * (0.5 + Math.random() / 2))
      this.#setState({ kind: 'safe', problem, retry_ms })
      await this.#options.wait(retry_ms, signal)
      if (signal.aborted) return
      problem = await this.#performHandshake()
      if (problem !== null && isRefusedForGood(problem))
        return this.#setState({ kind: 'ended', problem })
    }
  }

  #setState(state: ConnectionState): void {
    if (this.#ended.signal.aborted && state.kind !== 'ended') return
    const isNew = state.kind !== 'ready' || this.#state.kind !== 'ready'
    this.#state = state
    if (isNew) this.#options.onState(state)
  }

  #createSigning(): Signing {
    return { now: this.#options.now(), nonce: crypto.randomUUID() }
  }

  #buildPassiveError(): AgentError {
    const state = this.#state
    if (state.kind === 'safe') return new SafeModeError(state.problem)
    if (state.kind === 'ended' && state.problem !== null) return toAgentError(state.problem)
    return new AgentError({
      code: 'CONNECTION_ENDED',
      summary: 'the agent has let go of its session',
      fix: 'connect again',
    })
  }

  #checkClock(problem: AnyProblem): void {
    const error = this.#toError(problem)
    if (error instanceof ClientClockError) throw error
  }

  #toError(problem: AnyProblem): AgentError {
    return toClockedError(problem, this.#options.now())
  }
}
