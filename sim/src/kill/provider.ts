/**
 * The outside world of the kill test, in the parent: it outlives every runtime that is killed, and
 * counts what it applied. Keys are remembered for ever, as a real provider's would be for a day.
 */
import type { Rng } from '../rng.ts'
import type { FromProvider, SentKind, ToProvider } from './protocol.ts'

export const LATE_MS = 300
/** Nobody can be paid under this name. */
const NOBODY = 'nobody'
const KEYED: readonly SentKind[] = ['PAY', 'UNDO']

export class KillProvider {
  /** Applied effects by key. */
  readonly applied: Map<string, number> = new Map()
  readonly #rng: Rng
  /** Without troubles every request is answered. */
  troubled = true

  constructor(rng: Rng) {
    this.#rng = rng
  }

  receive(request: ToProvider, answer: (message: FromProvider) => void): void {
    const { id, op, key } = request
    if (op === 'send') this.#send(request, (said) => answer({ id, answer: said }))
    else answer({ id, answer: this.applied.has(key) ? buildDoneAnswer(key) : { kind: 'absent' } })
  }

  #send({ kind, key, params }: ToProvider, answer: (said: FromProvider['answer']) => void): void {
    const trouble = this.troubled ? this.#rng.drawUnit() : 1
    if (trouble < 0.06) return
    const refuses = trouble < 0.1 || params.to === NOBODY
    if (refuses && !this.applied.has(key)) {
      answer({ kind: 'refused', transient: trouble < 0.08 })
      return
    }
    const act = (): void => {
      if (kind !== 'LOOKUP' && !(KEYED.includes(kind) && this.applied.has(key)))
        this.applied.set(key, (this.applied.get(key) ?? 0) + 1)
      if (trouble >= 0.16) answer(buildDoneAnswer(key))
    }
    if (trouble < 0.2) setTimeout(act, LATE_MS)
    else act()
  }

  countSecondEffects(): number {
    return [...this.applied.values()].filter((times) => times > 1).length
  }
}

function buildDoneAnswer(key: string): FromProvider['answer'] {
  return { kind: 'done', result: { ok: true, reference: key.slice(0, 12) } }
}
