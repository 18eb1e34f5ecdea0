/**
 * I2, for calls with `once`: of calls of one agent that ask for the same, those that overlap are one act; so are those under one name,
 * as long as names last. Held against when each call came, the order of the ledger, and what the provider carried out.
 *
 * C1 a flow is opened only by a call that came when nothing was under way any more that asked for the same: after every entry that
 *    decided or settled something of an earlier flow, and with nothing left open.
 * C2 nor by one that came to the process in which the call that opened an earlier one had not been answered.
 * C3 what was opened, or answered, under a name stands for the next under it for a day.
 * C4 the provider carries a second out only for a call that came after it had carried out the first.
 * C5 who is answered with an act that is over asked under its name, or came before it was over, as far as anybody could tell.
 */
import type { SettlePayload, SignedIntent, WritPayload } from 'rubicon-kernel'
import type { ProviderEvent } from '../provider.ts'
import type { Line, Report } from './report.ts'

const CALLED = 'called for '
const DAY_MS = 86_400_000

/** What all calls ask for that are to be one, and which of them it is. */
export type CallPlace = { readonly family: string; readonly call: number }

export type CallCame = CallPlace & {
  readonly names: readonly string[]
  readonly epoch: number
  /** On the clock of the simulator. */
  readonly ms: number
}

export type CallEnded = CallPlace & {
  readonly ms: number
  /** Null: it failed, or nobody knows. */
  readonly answer: { readonly dfid: string; readonly repeated: boolean } | null
}

export function toCallTrigger({ family, call }: CallPlace): string {
  return `${CALLED}${family}: ${call}`
}

export function parseCallTrigger(trigger: string): CallPlace | null {
  if (!trigger.startsWith(CALLED)) return null
  const [family = '', call = ''] = trigger.slice(CALLED.length).split(': ')
  return { family, call: Number(call) }
}

type Call = CallCame & {
  /** Its place in all that is seen. */
  readonly order: number
  /** The latest entry then: its claims end a day after that, or later. */
  readonly after: number
  ended: CallEnded | null
}

type Flow = {
  readonly dfid: string
  readonly opener: number
  readonly family: string
  /** Of the last entry that decided or settled, and on the clock of the simulator of the last of any kind. */
  lastOrder: number
  lastMs: number
  /** By intent: it is on its way, or nobody knows what became of it. */
  readonly open: Set<string>
  /** Somebody is asked. */
  isWaiting: boolean
}

const DECIDING: readonly string[] = [
  'rejection',
  'pending_approval',
  'approval',
  'accepted',
  'dispatch',
  'resend',
  'settle',
  'commit',
]
const OVER: readonly string[] = ['SUCCESS', 'FAILED', 'ABANDONED']

export class AuditedCalls {
  readonly #report: Report
  readonly #getMs: () => number
  readonly #calls = new Map<number, Call>()
  readonly #flows = new Map<string, Flow>()
  readonly #byFamily = new Map<string, Flow[]>()
  readonly #names = new Map<string, { readonly dfid: string; readonly until: number }>()
  /** When the provider carried out the last of them, and under which keys. */
  readonly #applied = new Map<string, { readonly keys: Set<string>; order: number }>()
  #order = 0
  #latest = 0

  constructor(report: Report, getMs: () => number) {
    this.#report = report
    this.#getMs = getMs
  }

  recordCame(came: CallCame): void {
    const seen = { order: this.#advance(), after: this.#latest, ended: null }
    this.#calls.set(came.call, { ...came, ...seen })
  }

  recordEnded(ended: CallEnded): void {
    this.#advance()
    const call = this.#calls.get(ended.call)
    if (call === undefined) return
    call.ended = ended
    const { answer } = ended
    // Of what was never recorded nothing is known.
    const flow = answer === null ? undefined : this.#flows.get(answer.dfid)
    if (answer === null || flow === undefined) return
    if (flow.family !== call.family)
      this.#report('I2', `call ${call.call} is answered with ${answer.dfid}, which is another`)
    const isNamed = call.names.some((name) => this.#names.get(name)?.dfid === flow.dfid)
    for (const name of call.names) this.#bind(name, call, flow.dfid)
    if (answer.repeated && !isNamed) this.#auditRepeated(call, flow, ended)
  }

  /** A slow answer, and a clock that stands still while it is wrong, leave this much in doubt. */
  #auditRepeated(call: Call, flow: Flow, { ms }: CallEnded): void {
    const doubtMs = 600_000 + ms - call.ms
    if (flow.isWaiting || flow.open.size > 0 || flow.lastMs >= call.ms - doubtMs) return
    this.#report('I2', `call ${call.call} is answered with ${flow.dfid}, which was over for long`)
  }

  /** Every line, in the order of the ledger. */
  add(line: Line): void {
    const order = this.#advance()
    this.#latest = Math.max(this.#latest, Date.parse(line.at))
    if (line.kind === 'writ') this.#auditOpening(line, line.payload as WritPayload)
    const flow = line.dfid === undefined ? undefined : this.#flows.get(line.dfid)
    if (flow === undefined) return
    flow.lastMs = this.#getMs()
    if (!DECIDING.includes(line.kind)) return
    if (!trackOpen(flow.open, line)) return
    flow.lastOrder = order
    flow.isWaiting = line.kind === 'pending_approval'
  }

  #auditOpening({ dfid = '', at }: Line, { flow: opened }: WritPayload): void {
    const place = parseCallTrigger(opened?.trigger ?? '')
    if (place === null) return
    const call = this.#calls.get(place.call)
    if (call === undefined) {
      this.#report('I2', `${dfid} was opened by no call`)
      return
    }
    const earlier = this.#byFamily.get(place.family) ?? []
    for (const flow of earlier) this.#auditPair(flow, call, dfid)
    for (const name of call.names) {
      const bound = this.#names.get(name)
      if (bound !== undefined && bound.dfid !== dfid && Date.parse(at) < bound.until)
        this.#report('I2', `${dfid} was opened under ${name}, which stands for ${bound.dfid}`)
      this.#bind(name, call, dfid)
    }
    const flow = { dfid, opener: place.call, family: place.family, open: new Set<string>() }
    const times = { lastOrder: this.#order, lastMs: this.#getMs() }
    const opening: Flow = { ...flow, ...times, isWaiting: false }
    this.#flows.set(dfid, opening)
    this.#byFamily.set(place.family, [...earlier, opening])
  }

  #auditPair(flow: Flow, call: Call, dfid: string): void {
    const report = (why: string): void =>
      this.#report('I2', `${dfid} was opened by call ${call.call}, ${why} (${flow.dfid})`)
    if (flow.open.size > 0) report('while the same was under way')
    else if (flow.lastOrder > call.order) report('which came while the same was under way')
    const opener = this.#calls.get(flow.opener)
    if (opener === undefined || opener.epoch !== call.epoch || opener.call === call.call) return
    // Somebody else may have heard of it.
    const isHeard = [...this.#calls.values()].some(
      ({ ended, order }) =>
        order <= call.order && ended?.answer?.dfid === flow.dfid && ended.ms <= call.ms,
    )
    const isUnanswered = opener.ended === null || opener.ended.ms > call.ms
    if (isUnanswered && !isHeard) report('which came before the first was answered')
  }

  #bind(name: string, { after }: Call, dfid: string): void {
    const bound = this.#names.get(name)
    if (bound !== undefined && bound.until > this.#latest) return
    this.#names.set(name, { dfid, until: after + DAY_MS })
  }

  /** What the provider did, and for whom it says that was. */
  auditProviderEvent({ event, kind, key, params }: ProviderEvent): void {
    const place = parseCallTrigger(String(params.memo ?? ''))
    if (place === null || event !== 'applied' || kind === 'UNDO' || kind === 'CANCEL') return
    const { family } = place
    const order = this.#advance()
    const before = this.#applied.get(family)
    if (before?.keys.has(key) === true) return
    const keys = new Set([...(before?.keys ?? []), key])
    this.#applied.set(family, { keys, order })
    if (before === undefined) return
    const isAsked = [...this.#calls.values()].some(
      (call) => call.family === family && call.order > before.order,
    )
    if (!isAsked)
      this.#report('I2', `${kind} ${key} was carried out for ${family}, and nobody asked again`)
  }

  #advance(): number {
    this.#order += 1
    return this.#order
  }
}

/** False: it is of an undoing, which begins when the act is over. */
function trackOpen(open: Set<string>, { kind, payload }: Line): boolean {
  const { intent, intent_id, body, status } = (payload ?? {}) as {
    readonly intent?: SignedIntent
    readonly intent_id?: string
    readonly body?: { readonly intent_id?: string }
    readonly status?: SettlePayload['status']
  }
  if (intent?.compensation !== undefined) return false
  const id = intent?.intent_id ?? intent_id ?? body?.intent_id
  if (kind === 'accepted' || kind === 'dispatch') {
    if (id !== undefined) open.add(id)
    return true
  }
  const isKnown = id !== undefined && open.has(id)
  if ((kind === 'settle' || kind === 'commit' || kind === 'resend') && !isKnown) return false
  if (id !== undefined && (kind === 'commit' || OVER.includes(status ?? ''))) open.delete(id)
  return true
}
