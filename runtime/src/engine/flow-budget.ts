/** What a flow was granted and what is used of it, by its own entries and counters. */
import { formatBudgetUnits, isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { FlowRow, Store } from '../ports/store.ts'
import { counterId } from './budget-counters.ts'

export type BudgetLine = {
  readonly measure: string
  /** Null: nobody bounds it. */
  readonly granted: string | null
  readonly used: string
  /** Some of it stands on the word of an agent. */
  readonly estimate: boolean
}

/** The others need not be read for it. */
export function speaksOfBudget({ payload }: { readonly payload: string | null }): boolean {
  return payload !== null && /"(writ|used)":/.test(payload)
}

export async function flowBudget(
  store: Store,
  { writs }: FlowRow,
  entries: readonly { readonly payload: JsonValue }[],
): Promise<readonly BudgetLine[]> {
  const [own] = writs
  if (own === undefined) return []
  const payloads = entries.map(({ payload }) => objectOf(payload))
  const granted = budgetOf(payloads, own.id)
  const reported = new Set(payloads.flatMap(({ used }) => Object.keys(objectOf(used))))
  const lines: BudgetLine[] = []
  for (const measure of new Set([...Object.keys(granted), ...reported])) {
    const units = await store.counter(counterId(own.nonce, measure))
    lines.push({
      measure,
      granted: textOf(granted[measure]),
      used: formatBudgetUnits(measure, BigInt(units)),
      estimate: reported.has(measure),
    })
  }
  return lines
}

/** Of the writ that the flow was opened with. */
function budgetOf(payloads: readonly JsonObject[], id: string): JsonObject {
  const writs = payloads.map(({ writ }) => objectOf(writ))
  return objectOf(objectOf(writs.find((writ) => writ.id === id)?.body).budget)
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
