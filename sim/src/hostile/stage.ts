/**
 * The shop behind a real server on loopback. Mallory has what an agent has: a key, a session, every
 * route, and the doors of the library with her session. Whatever she is answered is kept for the judge.
 */
import {
  type EscalationRequest,
  formatInstant,
  type JsonObject,
  type Policy,
  type WorkingContext,
} from 'rubicon-kernel'
import type { Runtime } from '../../../runtime/src/compose.ts'
import { issueWrit } from '../../../runtime/src/engine/authority/writs.ts'
import type { Deps } from '../../../runtime/src/engine/deps.ts'
import { Engine } from '../../../runtime/src/engine/engine.ts'
import type { Capability } from '../../../runtime/src/ports/capability.ts'
import { buildRuleBook } from '../../../runtime/src/rule-book.ts'
import type { HttpAnswer } from '../../../server/src/http/agent-auth/client.ts'
import type { Rng } from '../rng.ts'
import { countCalls, type Reached } from './counted.ts'
import type { Breach } from './goals.ts'
import { ACCOUNTS, INSTRUMENTS, LEAD, MALLORY, type Sent, VICTIM } from './shop.ts'
import type { ShopClock } from './shop-clock.ts'
import type { Wire } from './wire.ts'

export type OpenFlow = { readonly dfid: string; readonly context: WorkingContext }

/** What another process may have of its own. */
export type OtherDeps = Pick<
  Deps,
  | 'acceptRules'
  | 'book'
  | 'sources'
  | 'failpoints'
  | 'checker'
  | 'telemetry'
  | 'tokenizer'
  | 'store'
>

const WORKDAY_MS = 20 * 3_600_000

export class Stage {
  readonly rng: Rng
  readonly clock: ShopClock
  readonly runtime: Runtime
  /** Effects, in the order in which they happened. */
  readonly sent: Sent[]
  /** Everything that mallory was answered. */
  readonly heard: string[] = []
  /** What only the victim may know. */
  readonly secret: string
  /** Flow and step of what others mean to happen. */
  readonly honest: Set<string> = new Set()
  /** Flow → humans who let it act. */
  readonly approved: Map<string, Set<string>> = new Map()
  /** Flows in which nothing may happen any more. */
  readonly over: Set<string> = new Set()
  /** What a trick saw that it must not have. */
  readonly taken: Breach[] = []
  /** In which the victim works all day. */
  #victims: OpenFlow | null = null
  #begun = 0
  #version = 0
  readonly wire: Wire
  readonly #reached: Reached

  constructor(parts: {
    readonly rng: Rng
    readonly clock: ShopClock
    readonly runtime: Runtime
    readonly sent: Sent[]
    readonly secret: string
    readonly wire: Wire
    readonly reached: Reached
  }) {
    this.rng = parts.rng
    this.clock = parts.clock
    this.runtime = parts.runtime
    this.sent = parts.sent
    this.secret = parts.secret
    this.wire = parts.wire
    this.#reached = parts.reached
  }

  get engine(): Engine {
    return this.runtime.engine
  }

  /** How often something behind the door was asked over the wire. */
  get reached(): number {
    return this.#reached.count
  }

  /** For what is asked in process, with a session. */
  reach(): void {
    this.#reached.count += 1
  }

  /** Another engine, behind another door of the same store. */
  countReached<T extends object>(target: T): T {
    return countCalls(target, this.#reached)
  }

  get victims(): OpenFlow {
    if (this.#victims === null) throw new Error('the victim has begun')
    return this.#victims
  }

  /** The victim begins its work: what it can do now it must be able to do whatever mallory tries. */
  async begin(): Promise<void> {
    const opened = await this.wire.sendAs(VICTIM, 'POST', '/v1/flows', {
      trigger: `work ${this.secret}`,
      steps: 'many',
      state: ['vault.code', 'accounts.supplier'],
    })
    if (opened.status !== 201)
      throw new Error(`the victim cannot work: ${JSON.stringify(opened.body)}`)
    this.#victims = opened.body
    this.#begun = this.clock.now()
  }

  /** The victim asks for more than it may do alone; its boss is shown that, and nobody else. */
  async askBoss(): Promise<void> {
    const flow = await this.runtime.open({
      agent: VICTIM,
      trigger: 'rent',
      state: ['accounts.supplier'],
    })
    await flow.propose({
      policy_kind: 'PAY',
      params: { to: { account: ACCOUNTS.supplier ?? '' }, amount: '150.00', memo: this.secret },
      grounds: { '/to/account': 'accounts.supplier' },
      justification: this.secret,
    })
  }

  /** The lead takes back what mallory has half done, for reasons of its own. */
  async takeBack(dfid: string): Promise<void> {
    const lead = await this.runtime.open({ agent: LEAD, trigger: 'put it right' })
    await lead.propose({
      policy_kind: 'COMPENSATE',
      params: { dfid, action: 'REVERT' },
      justification: this.secret,
    })
  }

  /** What an agent has asked last, as if it had leaked. */
  async readLastRequest(agent_id: string): Promise<string | null> {
    const waiting = await this.engine.oversight.escalations({ agent_id })
    return waiting.at(-1)?.id ?? null
  }

  async request(id: string): Promise<EscalationRequest | null> {
    return (await this.engine.oversight.escalation(id))?.request ?? null
  }

  /** Its writ lasts a day. */
  async beginAgain(): Promise<void> {
    if (this.clock.now() - this.#begun > WORKDAY_MS) await this.begin()
  }

  /** Of the next contract of mallory. */
  advanceVersion(): number {
    this.#version += 1
    return this.#version
  }

  /** A writ that no flow was opened with. */
  async issueWrit(agent: string): Promise<string> {
    const issued = await issueWrit(this.engine.context, { agent })
    if (!issued.ok) throw new Error(issued.error.summary)
    return issued.value.id
  }

  /** Another process on the same store. */
  createSecondEngine(
    capabilities: readonly Capability[],
    policies: readonly Policy[],
    more: Partial<OtherDeps> = {},
  ): Engine {
    const { context } = this.engine
    const book = buildRuleBook(capabilities, policies, context.sha256)
    if (!book.ok) throw new Error(book.error.summary)
    return new Engine({ ...context, book: book.value, ...more }, { background: false })
  }

  sendSecond(one: Sent): void {
    this.sent.push({ ...one, second: true })
  }

  /** As mallory. */
  async get(path: string): Promise<HttpAnswer> {
    return this.#hear(await this.wire.sendAs(MALLORY, 'GET', path))
  }

  async sendPost(path: string, body: unknown, key?: string): Promise<HttpAnswer> {
    return this.#hear(await this.wire.sendAs(MALLORY, 'POST', path, body, key))
  }

  async put(path: string, body: unknown): Promise<HttpAnswer> {
    return this.#hear(await this.wire.sendAs(MALLORY, 'PUT', path, body))
  }

  /** What mallory learned in process. */
  hear(said: unknown): void {
    this.heard.push(JSON.stringify(said) ?? '')
  }

  async open(more: JsonObject = {}): Promise<OpenFlow | null> {
    const state = [
      'accounts.supplier',
      ...INSTRUMENTS.map((name) => `market.price.${name}`),
      'market.price.DOGE-USD',
    ]
    const { status, body } = await this.sendPost('/v1/flows', { trigger: 'shelf', state, ...more })
    return status === 201 ? body : null
  }

  async propose(flow: OpenFlow | null, proposal: JsonObject): Promise<HttpAnswer | null> {
    if (flow === null) return null
    return this.sendPost(`/v1/flows/${flow.dfid}/proposals`, { ...toFlowClaims(flow), ...proposal })
  }

  readNow(): string {
    return formatInstant(this.clock.now())
  }

  /** Opens and proposes; and tries the same in one act, on a price that she says she saw. */
  async act(
    policy_kind: string,
    params: JsonObject,
    more: JsonObject = {},
  ): Promise<HttpAnswer | null> {
    const answer = await this.propose(await this.open(), { policy_kind, params, ...more })
    const seen =
      typeof params.instrument === 'string'
        ? [{ path: `market.price.${params.instrument}`, value: '100', observed_at: this.readNow() }]
        : []
    await this.sendPost('/v1/actions', { trigger: 'shelf', policy_kind, params, ...more, seen })
    return answer
  }

  /** Whatever is due happens, as it would by itself. */
  async settle(): Promise<void> {
    await this.engine.reconcile()
    await this.engine.runDue()
  }

  async close(): Promise<void> {
    await this.wire.close()
    await this.runtime.close()
  }

  #hear(answer: HttpAnswer): HttpAnswer {
    this.hear(answer.body)
    return answer
  }
}

/** What a proposal says of the flow that it belongs to. */
export function toFlowClaims({ dfid, context }: OpenFlow): JsonObject {
  const { agent_id, snapshot_id: context_ref, mission_context_hash } = context
  return { dfid, agent_id, context_ref, mission_context_hash }
}
