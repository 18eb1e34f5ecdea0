/** What a flow was granted and what is used of it, by its own entries and counters. */
import { formatBudgetUnits, isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { FlowRow, Store } from '../../ports/store.ts'
import { toCounterId } from '../rows/budget-counters.ts'

export type BudgetLine = {
  readonly measure: string
  /** Null: nobody bounds it. */
  readonly granted: string | null
  readonly used: string
  /** Some of it stands on the word of an agent. */
  readonly estimate: boolean
}

/** The others need not be read for it. */
export function isAboutBudget({ payload }: { readonly payload: string | null }): boolean {
  return payload !== null && /"(writ|used)":/.test(payload)
}

export async function readFlowBudget(
  store: Store,
  { writs }: FlowRow,
  entries: readonly { readonly payload: JsonValue }[],
): Promise<readonly BudgetLine[]> {
  const [own] = writs
  if (own === undefined) return []
  const payloads = entries.map(({ payload }) => toObject(payload))
  const granted = findGrantedBudget(payloads, own.id)
  const reported = new Set(payloads.flatMap(({ used }) => Object.keys(toObject(used))))
  const lines: BudgetLine[] = []
  // What a provider counted is a fact.
  const estimated = new Set(
    payloads.flatMap(({ used, source }) => (source === 'agent' ? Object.keys(toObject(used)) : [])),
  )
  for (const measure of new Set([...Object.keys(granted), ...reported])) {
    const units = await store.readCounter(toCounterId(own.nonce, measure))
    lines.push({
      measure,
      granted: toTextOrNull(granted[measure]),
      used: formatBudgetUnits(measure, BigInt(units)),
      estimate: estimated.has(measure),
    })
  }
  return lines
}

/** Of the writ that the flow was opened with. */
function findGrantedBudget(payloads: readonly JsonObject[], id: string): JsonObject {
  const writs = payloads.map(({ writ }) => toObject(writ))
  return toObject(toObject(writs.find((writ) => writ.id === id)?.body).budget)
}

function toObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function toTextOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
