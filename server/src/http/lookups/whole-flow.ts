/**
 * What a flow consists of, as it is shown. A thousand steps with long results are hundreds of megabytes, and an agent asks for
 * its own flows as often as it likes: read at once, they kept every list waiting for seconds.
 *
 * W1 so many entries and effects are read at a time; of each no more is kept than is shown.
 * W2 a flow of more than that is read in turns (`SlowReads`), and others are answered between two steps.
 */
import { isObject, LIMITS } from 'rubicon-kernel'
import { isAboutBudget } from 'rubicon-runtime/engine/flow'
import { type FlowReviews, joinFlowReviews, listFlowReviews } from 'rubicon-runtime/engine/rows'
import type { ExecutionRow, Store, StoredEntry } from 'rubicon-runtime/ports'
import { type EntryView, toEntryView } from '../views/entry-view.ts'
import { type ExecutionView, toExecutionView } from '../views/execution-view.ts'
import { FlowLength } from './flow-length.ts'

type FlowStore = Pick<Store, 'listFlowEntries' | 'listExecutions'>

export type FlowParts = {
  /** As JSON, the oldest first. */
  readonly entries: readonly string[]
  readonly executions: readonly ExecutionView[]
  /** Of the entries that are about the budget, what they say of it. */
  readonly aboutBudget: readonly Pick<EntryView, 'payload'>[]
  readonly reviews: FlowReviews
  readonly withheld: number
}

const STEP = LIMITS.entriesPerStep

/** Null: it is longer than one step. */
export async function readShortFlow(
  store: FlowStore,
  dfid: string,
  textOf: (entry: StoredEntry) => string,
): Promise<FlowParts | null> {
  // Asked for at once: of one moment, where the store can.
  const [entries, executions] = await Promise.all([
    store.listFlowEntries(dfid, undefined, STEP),
    store.listExecutions({ dfid, limit: STEP }),
  ])
  if (entries.length === STEP || executions.length === STEP) return null
  const shown = new ShownFlow(textOf)
  shown.addOlder(entries)
  shown.addExecutions(executions)
  return shown.parts
}

export async function readLongFlow(
  store: FlowStore,
  dfid: string,
  textOf: (entry: StoredEntry) => string,
  pause: () => Promise<unknown>,
): Promise<FlowParts> {
  const shown = new ShownFlow(textOf)
  for (let [first, step]: [StoredEntry | undefined, number] = [undefined, STEP]; ; ) {
    const entries = await store.listFlowEntries(dfid, undefined, step, first?.envelope)
    shown.addOlder(entries)
    if (entries.length < step) break
    first = entries[0]
    step = chooseStep(entries)
    await pause()
  }
  for (let last: ExecutionRow | undefined, left: number = LIMITS.listed; left > 0; left -= STEP) {
    const beyond = last === undefined ? {} : { beyond: last }
    const rows = await store.listExecutions({ dfid, ...beyond, limit: Math.min(STEP, left) })
    shown.addExecutions(rows)
    last = rows.at(-1)
    if (rows.length < STEP) break
    await pause()
  }
  return shown.parts
}

/** More at a time after short ones, or a hundred thousand of them would take longer than anybody waits. Long ones may come next. */
function chooseStep(entries: readonly StoredEntry[]): number {
  const length = entries.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0)
  return length <= LIMITS.pageLength / 8 ? 4 * STEP : STEP
}

class ShownFlow {
  readonly #textOf: (entry: StoredEntry) => string
  readonly #length = new FlowLength()
  /** The newest first. */
  readonly #texts: string[] = []
  readonly #executions: ExecutionView[] = []
  readonly #aboutBudget: Pick<EntryView, 'payload'>[] = []
  readonly #reviews: FlowReviews[] = []

  constructor(textOf: (entry: StoredEntry) => string) {
    this.#textOf = textOf
  }

  get parts(): FlowParts {
    return {
      entries: this.#texts.toReversed(),
      executions: this.#executions,
      aboutBudget: this.#aboutBudget.toReversed(),
      reviews: joinFlowReviews(this.#reviews.toReversed()),
      withheld: this.#length.withheld,
    }
  }

  /** Those before what was added; the newest count first: by them the flow is judged, and an agent could write enough before them. */
  addOlder(entries: readonly StoredEntry[]): void {
    this.#reviews.push(listFlowReviews(entries))
    for (const entry of entries.toReversed()) {
      if (isAboutBudget(entry)) this.#aboutBudget.push(pickBudget(entry))
      this.#texts.push(this.#textOf(this.#length.shortenEntry(entry)))
    }
  }

  addExecutions(rows: readonly ExecutionRow[]): void {
    for (const row of rows)
      this.#executions.push(this.#length.shortenExecution(toExecutionView(row)))
  }
}

function pickBudget(entry: StoredEntry): Pick<EntryView, 'payload'> {
  const { payload } = toEntryView(entry)
  if (!isObject(payload)) return { payload: null }
  const { writ = null, used = null, source = null } = payload
  return { payload: { writ, used, source } }
}
