/** What is said when a parent cannot cover the budget of a child: what was asked, and what is left. */
import {
  assert,
  buildShortageDetails,
  type Failure,
  formatAmounts,
  formatBudgetUnits,
} from 'rubicon-kernel'
import type { Guard, Store } from '../../ports/store.ts'

type CounterGuard = Extract<Guard, { kind: 'counter' }>

/** The counter is read after it refused: what it says is what is left now. */
export async function loadBudgetFailure(
  store: Pick<Store, 'readCounter'>,
  { id, by, limit }: CounterGuard,
  { summary, fix }: Pick<Failure, 'summary' | 'fix'>,
): Promise<Failure> {
  const colon = id.indexOf(':')
  assert(colon > 0, 'the counter of a budget is named by nonce and measure')
  const measure = id.slice(colon + 1)
  const text = (units: number): string => formatBudgetUnits(measure, BigInt(units))
  const used = text(await store.readCounter(id))
  const short = buildShortageDetails([{ measure, asked: text(by), granted: text(limit), used }])
  return {
    code: 'BUDGET_EXCEEDED',
    summary: `${summary}: ${formatAmounts(short)}`,
    ...(fix === undefined ? {} : { fix }),
    meta: short,
  }
}
