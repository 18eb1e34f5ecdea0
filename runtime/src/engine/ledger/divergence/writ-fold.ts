/**
 * What was taken of writs that were issued by hand, as far as they can still be used. No flow is theirs, so that
 * no fold of a flow says it.
 */
import {
  computeWritId,
  LIMITS,
  parseInstant,
  type SignedIntent,
  toBudgetUnits,
  type Writ,
} from 'rubicon-kernel'
import { StoreDiverged } from '../../../ports/store-diverged.ts'
import type { Context } from '../../engine-context.ts'
import { listBudgetUnits } from '../../rows/budget-counters.ts'
import type { Taking } from './recent-entries.ts'

type Needed = Pick<Context, 'store' | 'sha256' | 'authorities'>

export class WritFold {
  readonly #issued: ReadonlyMap<string, Writ>
  readonly #live: ReadonlyMap<string, Writ>
  readonly #reserved: Map<string, SignedIntent> = new Map()
  readonly taken: Map<string, number> = new Map()

  constructor(issued: readonly Writ[], isOver: (writ: Writ) => boolean) {
    this.#issued = new Map(issued.map((writ) => [writ.id, writ]))
    this.#live = new Map([...this.#issued].filter(([, writ]) => !isOver(writ)))
  }

  /** The first moment of any of them; infinite without one. */
  get from(): number {
    const begins = [...this.#live.values()].map(({ body }) => {
      return parseInstant(body.window.not_before) ?? 0
    })
    return Math.min(Number.POSITIVE_INFINITY, ...begins)
  }

  add(taking: Taking): void {
    if (taking.kind === 'reserved') this.#reserve(taking.intent)
    else if (taking.kind === 'ended') this.#release(taking.intent_id, taking.spent)
    else if (taking.kind === 'issued')
      this.#count(taking.writ.body.parent, taking.writ.body.budget, 1)
    else {
      const { writ_id, child_dfid } = taking.delegation
      const child = this.#issued.get(writ_id)
      this.#count(child?.body.parent, taking.amounts, -1)
      if (child !== undefined) this.taken.set(`${child_dfid}:returned`, 1)
    }
  }

  #reserve(intent: SignedIntent): void {
    if (!this.#live.has(intent.writ_id)) return
    this.#reserved.set(intent.intent_id, intent)
    this.#count(intent.writ_id, intent.cost, 1)
  }

  #release(intentId: string, spent: SignedIntent['cost']): void {
    const intent = this.#reserved.get(intentId)
    if (intent === undefined) return
    this.#reserved.delete(intentId)
    const kept = Object.entries(intent.cost).map(([measure, held]) => {
      const used = spent[measure] ?? '0'
      const isLess = (toBudgetUnits(measure, used) ?? 0n) < (toBudgetUnits(measure, held) ?? 0n)
      return [measure, isLess ? used : held] as const
    })
    this.#count(intent.writ_id, intent.cost, -1)
    this.#count(intent.writ_id, Object.fromEntries(kept), 1)
  }

  #count(id: string | undefined, amounts: SignedIntent['cost'], sign: 1 | -1): void {
    const writ = this.#live.get(id ?? '')
    if (writ === undefined) return
    for (const [counter, units] of listBudgetUnits(writ.body.nonce, amounts))
      this.taken.set(counter, (this.taken.get(counter) ?? 0) + sign * units)
  }
}

/** Of what can still be used of writs that were issued by hand. */
export async function foldIssuedWrits({ store, sha256, authorities }: Needed): Promise<WritFold> {
  const { revokedWrits } = await authorities.loadLatest()
  const now = store.time.getNow()
  const issued: Writ[] = []
  for (let before: string | undefined; ; ) {
    const page = (await store.listWrits(LIMITS.entriesPerPage, before)).map(({ writ }) => writ)
    const other = page.find(({ id, body }) => computeWritId(body, sha256) !== id)
    if (other !== undefined) throw new StoreDiverged(`writ \`${other.id}\``, 'it differs')
    issued.push(...page)
    before = page.at(-1)?.id
    if (page.length < LIMITS.entriesPerPage) break
  }
  return new WritFold(issued, ({ id, body }) => {
    return revokedWrits.has(id) || (parseInstant(body.window.expires_at) ?? 0) <= now
  })
}
