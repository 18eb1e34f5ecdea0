/**
 * The outside world. It knows nothing of ledgers or intents: it sees requests with a key, does what
 * it does, and keeps its own log, which is what the auditor believes.
 *
 * O1 what it refuses is never applied; what it loses on the way in is never applied.
 * O2 a keyed request is applied once per window; after the window the key is forgotten.
 * O3 a request arrives at most `LATE_MS` after it was sent, and shows up in probes `LAG_MS` later.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { createCanary } from './canary.ts'
import type { VirtualTime } from './clock.ts'
import type { Rng } from './rng.ts'
import type { Faults } from './swarm.ts'

export const WINDOW_S = 600
export const LATE_MS = 60_000
export const LAG_MS = 20_000

/** `UNDO` takes back what was done under a key, `CANCEL` what was ordered. */
export type EffectKind =
  | 'LOOKUP'
  | 'PUT'
  | 'PAY'
  | 'ORDER'
  | 'WIRE'
  | 'STOCK'
  | 'TRADE'
  | 'HEDGE'
  | 'WITHDRAW'
  | 'TIP'
  | 'UNDO'
  | 'CANCEL'

/** Those that the provider recognises by their key. */
const KEYED: readonly EffectKind[] = ['PAY', 'STOCK', 'TRADE', 'TIP', 'UNDO']
/** Whoever is paid under this name does not exist: refused for good, in every weather. */
export const NOBODY = 'nobody'

/** Under these paths it says how often somebody was paid: its own effects change that. */
export const PAID = 'paid.'

export type Request = {
  readonly kind: EffectKind
  readonly key: string
  readonly send: number
  readonly params: JsonObject
}

export type ProviderEvent = Request & {
  readonly event: 'received' | 'applied' | 'lied'
  readonly at: number
}

export type ProviderAnswer =
  | { readonly kind: 'done'; readonly result: JsonValue }
  | { readonly kind: 'refused'; readonly transient: boolean; readonly why: string }
  /** The connection broke: nobody on this side knows anything. */
  | { readonly kind: 'reset' }

export type Finding =
  | { readonly finding: 'applied'; readonly result: JsonValue }
  | { readonly finding: 'absent' }

type Item = { readonly version: number; readonly tag: string; readonly value: string }

export class Provider {
  readonly log: ProviderEvent[] = []
  /** Keys that probes talk nonsense about. */
  readonly confused: Set<string> = new Set()
  readonly #time: VirtualTime
  readonly #rng: Rng
  readonly #faults: Faults
  readonly #seen: (event: ProviderEvent) => void
  readonly #items = new Map<string, Item>()
  readonly #keys = new Map<string, { readonly until: number; readonly result: JsonValue }>()
  readonly #orders = new Map<string, { readonly visibleAt: number; readonly result: JsonValue }>()

  constructor(time: VirtualTime, rng: Rng, faults: Faults, seen: (event: ProviderEvent) => void) {
    this.#time = time
    this.#rng = rng
    this.#faults = faults
    this.#seen = seen
  }

  /** The version of an item, for agents that look before they write. */
  getVersion(item: string): number {
    return this.#items.get(item)?.version ?? 0
  }

  /** Takes a request off the wire. Resolves with the answer; never, when that is lost. */
  request(request: Request): Promise<ProviderAnswer> {
    this.#recordEvent('received', request)
    const faults = this.#faults
    return new Promise((answer) => {
      if (faults.drawFault('lost_request')) {
        if (this.#rng.drawChance(0.5)) this.#scheduleLater(50, () => answer({ kind: 'reset' }))
        return
      }
      const late = faults.drawFault('late_apply') ? faults.drawBetween(5000, LATE_MS) : 0
      this.#scheduleLater(this.#rng.drawBetween(1, 30) + late, () => this.#arrive(request, answer))
    })
  }

  /** Whether it ever was, for a person who looks at the books. */
  isApplied(key: string): boolean {
    return this.log.some((event) => event.key === key && event.event === 'applied')
  }

  /** How many payments to somebody it has carried out, by their keys. It counts at once, and answers later. */
  countPaid(to: string): Promise<number> {
    const paid = this.log.filter((event) => event.event === 'applied' && isPaymentTo(event, to))
    const count = new Set(paid.map(({ key }) => key)).size
    const slow = this.#rng.drawChance(0.3) ? this.#rng.drawBetween(100, 3000) : 0
    return new Promise((answer) => {
      this.#scheduleLater(this.#rng.drawBetween(1, 30) + slow, () => answer(count))
    })
  }

  probe(key: string): Finding {
    const order = this.#orders.get(key)
    if (order === undefined || order.visibleAt > this.#time.getElapsedMs())
      return { finding: 'absent' }
    return { finding: 'applied', result: order.result }
  }

  #arrive(request: Request, answer: (value: ProviderAnswer) => void): void {
    const faults = this.#faults
    const done = this.#handleRequest(request)
    if (faults.drawFault('lost_answer')) return
    const slow = faults.drawFault('answer_slow') ? faults.drawBetween(500, 12_000) : 0
    const reset = faults.drawFault('reset_answer')
    this.#scheduleLater(this.#rng.drawBetween(1, 30) + slow, () =>
      answer(reset ? { kind: 'reset' } : done),
    )
  }

  #handleRequest(request: Request): ProviderAnswer {
    const faults = this.#faults
    const fresh = KEYED.includes(request.kind) ? !this.#isKnown(request) : true
    if (fresh && (request.params.to === NOBODY || faults.drawFault('refused')))
      return { kind: 'refused', transient: false, why: `not today ${createCanary('refusal')}` }
    if (faults.drawFault('refused_for_now'))
      return { kind: 'refused', transient: true, why: `too busy ${createCanary('refusal')}` }
    if (faults.drawFault('false_success')) {
      this.#recordEvent('lied', request)
      return { kind: 'done', result: buildResult(request) }
    }
    const done = this.#apply(request)
    if (done.kind === 'done' && faults.drawFault('invalid_answer'))
      return { kind: 'done', result: 'not what was agreed' }
    if (done.kind === 'done' && faults.drawFault('wrong_result'))
      return { kind: 'done', result: { ok: false } }
    return done
  }

  #isKnown({ key }: Request): boolean {
    return (this.#keys.get(key)?.until ?? -1) > this.#time.getElapsedMs()
  }

  #apply(request: Request): ProviderAnswer {
    const result = buildResult(request)
    const now = this.#time.getElapsedMs()
    switch (request.kind) {
      case 'LOOKUP':
        return { kind: 'done', result }
      case 'PUT':
        return this.#put(request)
      case 'PAY':
      case 'STOCK':
      case 'TRADE':
      case 'TIP':
      case 'UNDO': {
        const known = this.#keys.get(request.key)
        if (known !== undefined && known.until > now) return { kind: 'done', result: known.result }
        this.#keys.set(request.key, { until: now + WINDOW_S * 1000, result })
        break
      }
      case 'ORDER':
      case 'HEDGE': {
        const lag = this.#faults.drawFault('probe_lag') ? this.#faults.drawBetween(1, LAG_MS) : 0
        this.#orders.set(request.key, { visibleAt: now + lag, result })
        break
      }
      case 'WIRE':
      case 'WITHDRAW':
      case 'CANCEL':
        break
    }
    this.#recordEvent('applied', request)
    return { kind: 'done', result }
  }

  /** A conditional write. Its own earlier write is recognised by its tag, while nobody wrote since. */
  #put(request: Request): ProviderAnswer {
    const { item, value, if_version } = request.params
    const before = this.#items.get(String(item)) ?? { version: 0, tag: '', value: '' }
    if (before.tag === request.key) return { kind: 'done', result: buildResult(request) }
    if (before.version !== if_version)
      return { kind: 'refused', transient: false, why: `version is ${before.version}` }
    const after = { version: before.version + 1, tag: request.key, value: String(value) }
    this.#items.set(String(item), after)
    this.#recordEvent('applied', request)
    return { kind: 'done', result: buildResult(request) }
  }

  #recordEvent(event: ProviderEvent['event'], request: Request): void {
    const noted = { ...request, event, at: this.#time.getElapsedMs() }
    this.log.push(noted)
    this.#seen(noted)
  }

  #scheduleLater(ms: number, run: () => void): void {
    this.#time.schedule(ms, run)
  }
}

/** What takes out of the till of whoever is paid. */
function isPaymentTo({ kind, params }: Pick<Request, 'kind' | 'params'>, to: string): boolean {
  return (kind === 'PAY' || kind === 'WIRE' || kind === 'TIP') && params.to === to
}

function buildResult({ kind, key }: Request): JsonValue {
  return { ok: true, reference: `${kind}-${key.slice(0, 12)}`, said: createCanary('result') }
}
