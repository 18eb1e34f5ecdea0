/**
 * The rows of the store that entries touched: a flow, its steps, its requests. They are read after the entries, so that
 * what they say is never older.
 */
import { type EntryKind, LIMITS } from 'rubicon-kernel'
import { ESCALATION_STATES, type EscalationState } from 'rubicon-runtime/engine/rows'
import type { ExecutionRow, FlowRow, RecordBodies, Store } from 'rubicon-runtime/ports'
import type { IndexChange } from './fold-entry.ts'

export type TouchedRequest = {
  readonly id: string
  /** Null: it is in the store no more. */
  readonly found: {
    readonly state: EscalationState
    readonly body: RecordBodies['escalation']
  } | null
}

export type TouchedFlow = {
  readonly dfid: string
  readonly flow: FlowRow
  /** All that it has; null: they stand as they did. */
  readonly executions: readonly ExecutionRow[] | null
  readonly requests: readonly TouchedRequest[]
}

type Reader = Pick<Store, 'readFlow' | 'listExecutions' | 'readRecord'>

/** Entries after which steps stand otherwise. */
const OF_STEPS: ReadonlySet<EntryKind> = new Set<EntryKind>([
  'accepted',
  'dispatch',
  'resend',
  'commit',
  'settle',
  'evidence',
  'rejection',
  'approval',
])

/** How many flows are read at a time: a database elsewhere answers several at once. */
const AT_ONCE = 16

/** `listKnown`: the requests of a flow that the index has; of most flows those that had not ended when it last read them. */
export async function readTouched(
  store: Reader,
  changes: readonly IndexChange[],
  /** Flows that no entry names. */
  besides: readonly string[],
  listKnown: (dfid: string, which: 'waiting' | 'all') => readonly string[],
): Promise<readonly TouchedFlow[]> {
  const touched = collectTouches(changes)
  for (const dfid of besides)
    if (!touched.has(dfid))
      touched.set(dfid, { hasSteps: false, isErased: false, requests: new Set() })
  const flows: TouchedFlow[] = []
  const left = [...touched]
  while (left.length > 0) {
    const some = left.splice(0, AT_ONCE)
    const read = await Promise.all(
      some.map(([dfid, { hasSteps, isErased, requests }]) => {
        const known = listKnown(dfid, isErased ? 'all' : 'waiting')
        return readFlowRows(store, dfid, hasSteps, new Set([...requests, ...known]))
      }),
    )
    flows.push(...read.filter((one) => one !== null))
  }
  return flows
}

type Touch = { hasSteps: boolean; isErased: boolean; readonly requests: Set<string> }

function collectTouches(changes: readonly IndexChange[]): Map<string, Touch> {
  const touched = new Map<string, Touch>()
  for (const { dfid, erases, kind, request } of changes) {
    const name = erases ?? dfid
    if (name === null) continue
    const touch = touched.get(name) ?? { hasSteps: false, isErased: false, requests: new Set() }
    touched.set(name, touch)
    touch.isErased ||= erases !== null
    touch.hasSteps ||= erases !== null || OF_STEPS.has(kind)
    if (request !== null) touch.requests.add(request.id)
  }
  return touched
}

async function readFlowRows(
  store: Reader,
  dfid: string,
  hasSteps: boolean,
  ids: ReadonlySet<string>,
): Promise<TouchedFlow | null> {
  const flow = await store.readFlow(dfid)
  if (flow === null) return null
  const executions = hasSteps ? await store.listExecutions({ dfid, limit: LIMITS.listed }) : null
  const requests: TouchedRequest[] = []
  for (const id of ids) requests.push(await readRequest(store, id))
  return { dfid, flow, executions, requests }
}

async function readRequest(store: Reader, id: string): Promise<TouchedRequest> {
  for (const state of ESCALATION_STATES) {
    const stored = await store.readRecord('escalation', state, id)
    if (stored !== null) return { id, found: { state, body: stored.body } }
  }
  return { id, found: null }
}
