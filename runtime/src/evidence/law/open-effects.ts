/** Decisions whose effects are not settled: what is carried out or sent again is judged on them. */
import {
  type Address,
  type Facts,
  isObject,
  isSettled,
  type JsonObject,
  type JsonValue,
  parseInstant,
  type SignedIntent,
  type Trace,
} from 'rubicon-kernel'
import type { JudgedEntry } from './judge-law.ts'

export type OpenEffect = {
  readonly intent: SignedIntent
  readonly proposal: JsonValue
  readonly facts: Facts
  readonly trace: Trace
  /** When it was first sent, in milliseconds. */
  readonly firstSent: number
}

export class OpenEffects {
  readonly #open = new Map<string, OpenEffect>()

  get(intent: Address): OpenEffect | undefined {
    return this.#open.get(intent)
  }

  /** After what it says of an effect was judged. */
  see({ envelope: { kind }, payload }: JudgedEntry): void {
    if (payload === null) return
    const { intent, proposal, facts, trace, intent_id, status } = payload
    if (kind === 'accepted' || kind === 'dispatch') {
      if (isObject(intent) && isObject(facts) && Array.isArray(trace) && proposal !== undefined) {
        const firstSent = parseTime(intent.staged_at)
        this.#open.set(
          String(intent.intent_id),
          parseEffect({ intent, proposal, facts, trace, firstSent }),
        )
      } else this.#recordCarriedOut(String(intent_id), facts)
    } else if (kind === 'commit') this.#open.delete(String(intent_id))
    else if (kind === 'settle' && isSettled(status as Parameters<typeof isSettled>[0]))
      this.#open.delete(String(intent_id))
  }

  #recordCarriedOut(id: string, facts: JsonValue | undefined): void {
    const known = this.#open.get(id)
    const { now }: JsonObject = isObject(facts) ? facts : {}
    if (known !== undefined) this.#open.set(id, { ...known, firstSent: parseTime(now) })
  }
}

function parseTime(text: JsonValue | undefined): number {
  return (typeof text === 'string' ? parseInstant(text) : undefined) ?? 0
}

/** Its members have the shapes of their types where the ledger folds. */
function parseEffect(read: JsonObject): OpenEffect {
  return read as unknown as OpenEffect
}
