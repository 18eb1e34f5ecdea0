/** One batch: composed or planned, each inverse, and every order of undoing. */
import {
  applySplices,
  composeDeltas,
  DeltaHistory,
  type DeltaOp,
  type Plan,
  planDeltas,
} from 'rubicon-artifacts'
import { STRATEGIES } from 'rubicon-kernel'
import type { Rng } from '../rng.ts'
import { ARTIFACT, computeSha256, drawBatch, drawList, drawSize } from './draw-batch.ts'
import { type DrawnText, drawText, rememberParses, TEXT_NAMES } from './texts.ts'
import { type Undone, undoInOrders } from './undo-orders.ts'

export type PlayedBatch = Undone & {
  readonly deltas: number
  /** What they do, one a delta. */
  readonly ops: readonly DeltaOp[]
}

export function playBatch(rng: Rng): PlayedBatch {
  const text = rememberParses(drawText(rng.pick(TEXT_NAMES), rng))
  const size = drawSize(rng)
  const planned = rng.drawChance(0.5) ? planBatch(text, size, rng) : planList(text, size, rng)
  if (typeof planned === 'string') return { deltas: 0, ops: [], orders: 0, failures: [planned] }
  const { plans, ops } = planned
  // Nothing fitted, or what fitted was refused as a whole.
  if (plans.length === 0) return { deltas: 0, ops: [], orders: 0, failures: [] }
  const history = new DeltaHistory(text.parsed, text.format)
  const failures: string[] = []
  for (const [index, { splices, after, inverse }] of plans.entries()) {
    const before = history.getParsed().text
    if (applySplices(before, splices) !== after.text) failures.push(`${index} is another text`)
    if (applySplices(after.text, inverse) !== before) failures.push(`${index} has a wrong inverse`)
    history.record(String(index), { splices, after })
  }
  const undone = undoInOrders(history, text.parsed.text, rng)
  return {
    deltas: plans.length,
    ops,
    orders: undone.orders,
    failures: [...failures, ...undone.failures],
  }
}

type Planned = { readonly plans: readonly Plan[]; readonly ops: readonly DeltaOp[] } | string

const NOTHING: Planned = { plans: [], ops: [] }

function planBatch(text: DrawnText, size: number, rng: Rng): Planned {
  const { parsed, format } = text
  const batch = drawBatch(text, size, rng)
  if (batch.length === 0) return NOTHING
  const options = { artifact: ARTIFACT, sha256: computeSha256 }
  const composed = composeDeltas(parsed, batch, STRATEGIES.SingleWriter, format, options)
  if (!composed.ok)
    return isRefusal(composed.error.code)
      ? NOTHING
      : `${composed.error.code}: ${composed.error.detail}`
  if (applySplices(composed.value.after.text, composed.value.inverse) !== parsed.text)
    return 'the inverse of the whole gives another text'
  const ops = batch.flatMap(({ deltas }) => deltas.map(({ op }) => op))
  return { plans: composed.value.entries, ops }
}

/** Claims say what is in each other's way by what it is; what comes of texts side by side is known only when they are put together. */
function isRefusal(code: string): boolean {
  return code === 'CLAIMS_CONFLICT' || code === 'DANGLING_REFERENCE'
}

function planList(text: DrawnText, size: number, rng: Rng): Planned {
  const deltas = drawList(text, size, rng)
  if (deltas.length === 0) return NOTHING
  const planned = planDeltas(text.parsed, deltas, text.format)
  if (!planned.ok) return planned.error.detail
  if (applySplices(planned.value.after.text, planned.value.inverse) !== text.parsed.text)
    return 'the inverse of the list gives another text'
  return { plans: planned.value.steps, ops: deltas.map(({ op }) => op) }
}
