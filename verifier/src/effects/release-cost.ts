/** What a settled effect gives back, or has spent, of its budgets. */
import type { PayloadOf } from 'rubicon-kernel'
import { type FoldState, findReadableContract } from './fold-state.ts'
import type { Folded } from './folded-intent.ts'

export function releaseCost(
  state: FoldState,
  known: Folded | undefined,
  spent: PayloadOf['commit']['cost'],
): void {
  if (known === undefined || known === 'settled' || known.undoes) return
  const { writ: id, cost, agent, contract: hash, staged_at } = known
  const writ = state.authority.writs.get(id)
  if (writ !== undefined) state.budgets.release(writ, cost, spent)
  const contract = findReadableContract(state, agent, hash)
  if (contract !== undefined) state.windows.release(contract, staged_at, cost, spent)
}
