/** Undoes what was applied, in every order that is permitted or in some of them: the text is the first one behind each. */
import type { DeltaHistory } from 'rubicon-artifacts'
import type { Rng } from '../rng.ts'
import { drawOrder } from './draw-batch.ts'

/** Up to so many, all orders. */
const ALL_UP_TO = 5
const SAMPLES = 20

export type Undone = { readonly orders: number; readonly failures: readonly string[] }

export function undoInOrders(history: DeltaHistory, first: string, rng: Rng): Undone {
  if (history.listLive().length <= ALL_UP_TO) return undoAll(history, first, [])
  let failures: readonly string[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1)
    failures = [...failures, ...undoSample(history.createCopy(), first, rng)]
  return { orders: SAMPLES, failures }
}

function undoAll(history: DeltaHistory, first: string, done: readonly string[]): Undone {
  const live = history.listLive()
  if (live.length === 0) {
    const isFirst = history.getParsed().text === first
    return { orders: 1, failures: isFirst ? [] : [`undone as ${done.join(', ')}: another text`] }
  }
  let orders = 0
  let failures: readonly string[] = []
  for (const id of live) {
    const next = history.createCopy()
    if (!next.undo(id).ok) continue
    const below = undoAll(next, first, [...done, id])
    orders += below.orders
    failures = [...failures, ...below.failures]
  }
  return orders > 0
    ? { orders, failures }
    : { orders: 1, failures: [`behind ${done.join(', ')} nothing of ${live.join(', ')} is undone`] }
}

function undoSample(history: DeltaHistory, first: string, rng: Rng): readonly string[] {
  for (let live = history.listLive(); live.length > 0; live = history.listLive())
    if (!drawOrder(live, rng).some((id) => history.undo(id).ok))
      return [`nothing of ${live.join(', ')} is undone`]
  return history.getParsed().text === first ? [] : ['undone in a drawn order: another text']
}
