/**
 * I10, for models: nothing is asked before the most that it can cost is counted; what is open is counted at every
 * moment; and what a request comes to is what the provider counted, or all that was reserved where nobody knows.
 */
import type { GenerationPayload, WritPayload } from 'rubicon-kernel'
import type { OpenGeneration } from '../../../runtime/src/ports/generation-record.ts'
import type { ModelEvent } from '../model.ts'
import { toMillionths } from './micro.ts'
import type { Line, Report } from './report.ts'

/** What the store holds of requests that are open. */
export type GenerationView = {
  readonly open: readonly OpenGeneration[]
  /** The requests whose text holds this, open or not. */
  readonly findAsked: (question: string) => readonly string[]
  readonly counters: ReadonlyMap<string, number>
}

/** What a token costs, in millionths of a USD, as the provider's price list says. */
const PRICE = { input: 1, output: 2 }

type Amounts = Readonly<Record<string, string>>

/** In the unit of a counter. */
type CountUsed = (nonce: string, measure: string) => bigint

export class AuditedGenerations {
  readonly #report: Report
  readonly #countUsed: CountUsed
  readonly #reserved = new Map<string, OpenGeneration>()
  /** By generation: what its entry says. */
  readonly #settled = new Map<string, GenerationPayload['finding']>()
  /** By generation: what the provider said last. */
  readonly #said = new Map<string, ModelEvent>()
  /** By flow. */
  readonly #nonces = new Map<string, string>()
  readonly #byQuestion = new Map<string, string>()
  /** It sees what is reserved, and not the ledger alone. */
  #isWatching = false

  constructor(report: Report, countUsed: CountUsed) {
    this.#report = report
    this.#countUsed = countUsed
  }

  recordWrit({ writ, flow }: WritPayload): void {
    if (flow !== undefined) this.#nonces.set(flow.dfid, writ.body.nonce)
  }

  /** The provider was asked, or has answered. */
  auditModelEvent(event: ModelEvent, { findAsked }: Pick<GenerationView, 'findAsked'>): void {
    const { question } = event
    this.#isWatching = true
    if (event.event === 'asked') this.#auditAsked(question, findAsked(question))
    const id = this.#byQuestion.get(question)
    if (id !== undefined) this.#said.set(id, event)
  }

  /** A process that was taken for dead may still ask: all that it had reserved counts as used by then. */
  #auditAsked(question: string, [id = '', ...others]: readonly string[]): void {
    const isCounted = this.#settled.get(id) ?? (this.#reserved.has(id) ? 'open' : 'not reserved')
    if (others.length > 0 || (isCounted !== 'open' && isCounted !== 'lost'))
      this.#report('I10', `${question} is asked, and what it can cost is ${isCounted}`)
    if (id !== '') this.#byQuestion.set(question, id)
  }

  /** After each unit: what is open is counted beside what the ledger says. */
  auditOpen({ open, counters }: Pick<GenerationView, 'open' | 'counters'>): void {
    const held = new Map<string, bigint>()
    for (const one of open) {
      this.#reserved.set(one.generation_id, one)
      if (this.#settled.has(one.generation_id))
        this.#report('I10', `${one.generation_id} is open again`)
      for (const [measure, amount] of Object.entries(one.reserved)) {
        const name = `${this.#nonces.get(one.dfid)}:${measure}`
        held.set(name, (held.get(name) ?? 0n) + toUnits(measure, amount))
      }
    }
    for (const [name, reserved] of held) {
      const [nonce = '', measure = ''] = name.split(':')
      const wanted = this.#countUsed(nonce, measure) + reserved
      if (BigInt(counters.get(name) ?? 0) !== wanted)
        this.#report('I10', `${name} counts ${counters.get(name)}; used and reserved are ${wanted}`)
    }
  }

  auditEntry({ trajectory, seq }: Line, payload: GenerationPayload): void {
    const { generation_id: id, used } = payload
    const place = `${trajectory}/${seq}`
    if (this.#settled.has(id)) this.#report('I10', `${place} settles ${id} a second time`)
    this.#settled.set(id, payload.finding)
    const open = this.#reserved.get(id)
    if (open === undefined) {
      if (this.#isWatching) this.#report('I10', `${place} settles what was never reserved`)
      return
    }
    const wanted = this.#computeUsed(payload, open.reserved)
    if (formatAmounts(used) !== formatAmounts(wanted))
      this.#report(
        'I10',
        `${place} (${payload.finding}) counts ${formatAmounts(used)}, not ${formatAmounts(wanted)}`,
      )
  }

  #computeUsed(payload: GenerationPayload, reserved: Amounts): Amounts {
    const said = this.#said.get(payload.generation_id)
    if (payload.finding === 'failed' && !payload.charged)
      return said?.event === 'turned_away' ? {} : reserved
    if (payload.finding !== 'answered') return reserved
    const usage = said?.event === 'answered' ? said.usage : null
    if (usage === null) return reserved
    const { input_tokens: input, output_tokens: output } = usage
    const millionths = input * PRICE.input + output * PRICE.output
    return { tokens: String(input + output), usd: (millionths / 1_000_000).toFixed(6) }
  }

  /** I7: whatever became of it stands in the ledger. */
  finish(open: readonly OpenGeneration[]): void {
    for (const { generation_id, dfid } of open)
      this.#report(
        'I7',
        `${generation_id} of ${dfid} is open, and nobody records what became of it`,
      )
    for (const id of this.#reserved.keys())
      if (!this.#settled.has(id)) this.#report('I10', `${id} was reserved, and stands in no entry`)
  }
}

function toUnits(measure: string, amount: string): bigint {
  return measure === 'tokens' ? BigInt(amount) : toMillionths(amount)
}

function formatAmounts(amounts: Amounts): string {
  const parts = Object.entries(amounts).map(
    ([measure, amount]) => `${measure} ${toUnits(measure, amount)}`,
  )
  return parts.sort().join(', ')
}
