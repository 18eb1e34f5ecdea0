/** Everything about a dirty flow that a choice, and what is left of one, depends on. */
import {
  type Authority,
  buildCapabilityMenu,
  type CommitPayload,
  findPinnedContract,
  isAllowedIn,
  isUndoStep,
  mayChooseFor,
  type PolicyProposal,
  type SagaFact,
  type SagaStep,
  type SignedIntent,
  toUndoStep,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowRow, Guard } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { buildUntouchedDirtyGuard, type DirtyFlow, findDirty } from './dirty-record.ts'
import { iterateFlowTree, readExecutions, readOpenEffects } from './effects.ts'
import { readSettledSteps } from './settled-effect.ts'

export type Undoable = SagaStep & { readonly row: ExecutionRow; readonly flow: FlowRow }

export type Saga = {
  readonly flow: FlowRow
  /** Itself, and all below it. */
  readonly flows: readonly FlowRow[]
  /** Flows of it that are dirty, itself included. */
  readonly dirty: readonly FlowRow[]
  readonly record: DirtyFlow | null
  /** What was neither taken back nor settled yet, in the order in which it succeeded. */
  readonly steps: readonly Undoable[]
  /** Compensations that are not over: on their way, unknown, or stuck. */
  readonly undoing: readonly ExecutionRow[]
}

export async function loadSaga(context: Context, dfid: string): Promise<Saga | null> {
  const { store } = context
  const flow = await store.readFlow(dfid)
  if (flow === null) return null
  const flows: FlowRow[] = []
  const undoing: ExecutionRow[] = []
  const placed: { readonly step: Undoable; readonly place: string }[] = []
  for await (const one of iterateFlowTree(context, flow)) {
    flows.push(one)
    undoing.push(...(await readUndoing(context, one.dfid)))
    const places = await readCommitPlaces(context, one.dfid)
    for (const row of await readOpenEffects(context, one.dfid)) {
      const { step_id, status } = row
      const intent = parseIntent(row.intent)
      const { intent_id } = intent
      const menu = listUndoChoices(context, intent)
      const step = { dfid: one.dfid, step_id, intent_id, status, menu, row, flow: one }
      placed.push({ step, place: places.get(intent_id) ?? LAST })
    }
  }
  const steps = placed.toSorted(compareByPlace).map(({ step }) => step)
  const dirty = flows.filter(({ tags }) => tags.includes('DIRTY'))
  return { flow, flows, dirty, record: await findDirty(store, dfid), steps, undoing }
}

/** What a person has settled is stuck no more. */
async function readUndoing(context: Context, dfid: string): Promise<readonly ExecutionRow[]> {
  const settled = new Set([...(await readSettledSteps(context, dfid))].map(toUndoStep))
  return (await readExecutions(context, dfid)).filter(
    ({ step_id, status }) => isUndoStep(step_id) && status !== 'SUCCESS' && !settled.has(step_id),
  )
}

/** After every instant. */
const LAST = '~'

function compareByPlace(a: { readonly place: string }, b: { readonly place: string }): number {
  if (a.place === b.place) return 0
  return a.place < b.place ? -1 : 1
}

/** When each intent was committed: by the time of its entry, then by its place. */
async function readCommitPlaces(
  { store }: Context,
  dfid: string,
): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>()
  for (const { envelope, payload } of await store.listFlowEntries(dfid, ['commit'])) {
    if (envelope.kind !== 'commit' || payload === null) continue
    const { intent_id } = JSON.parse(payload) as CommitPayload
    const seq = String(envelope.seq).padStart(16, '0')
    places.set(intent_id, `${envelope.at} ${seq} ${envelope.trajectory}`)
  }
  return places
}

/** The code that made the effect must still be the code that would take it back. */
function listUndoChoices({ book }: Context, intent: SignedIntent): readonly string[] {
  const law = book.capability(intent.policy_kind)?.law
  if (law?.hash !== intent.capability_hash) return []
  // Where it could not have been done, it is not taken back by itself either.
  return isAllowedIn(intent.trajectory, law.description) ? buildCapabilityMenu(law.description) : []
}

export type SagaGathered = { readonly fact?: SagaFact | null; readonly guards: readonly Guard[] }

/**
 * What a COMPENSATE is judged on. Every other proposal is judged without it. Steps are read for whoever may
 * choose about them, and while there is a choice: anybody can name any flow, and a long one takes the thread.
 */
export async function gatherSaga(
  context: Context,
  chooser: FlowRow,
  { policy_kind, params }: PolicyProposal,
  authority: Authority,
): Promise<SagaGathered> {
  if (policy_kind !== 'COMPENSATE') return { guards: [] }
  const { dfid } = params
  const flow = typeof dfid === 'string' ? await context.store.readFlow(dfid) : null
  if (flow === null) return { fact: null, guards: [] }
  const record = await findDirty(context.store, flow.dfid)
  const related =
    mayChooseFor(chooser.trajectory, flow.trajectory) &&
    (await isAnswerable(context, chooser.agent_id, flow, authority))
  const open = record?.body.standing === 'open' ? record : null
  const saga = related && open !== null ? await loadSaga(context, flow.dfid) : null
  const fact = {
    dfid: flow.dfid,
    agent_id: flow.agent_id,
    standing: record?.body.standing ?? null,
    related,
    ...toSagaTerms(authority, flow, saga?.steps ?? []),
  }
  return { fact, guards: open === null ? [] : [buildUntouchedDirtyGuard(flow.dfid, open)] }
}

/** The menu of the flow's own contract, and its steps without the rows behind them. */
export function toSagaTerms(
  authority: Authority,
  { agent_id, contract_hash }: FlowRow,
  steps: readonly Undoable[],
): Pick<SagaFact, 'menu' | 'steps'> {
  return {
    menu: findPinnedContract(authority, agent_id, contract_hash)?.contract.compensation ?? [],
    steps: steps.map(({ row: _, flow: __, ...step }) => step),
  }
}

/** The agent itself, the one whose flow this is part of, or the one that its contract names. */
async function isAnswerable(
  { store }: Context,
  agent: string,
  flow: FlowRow,
  authority: Authority,
): Promise<boolean> {
  if (flow.agent_id === agent) return true
  const pinned = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  if (pinned?.contract.parent_agent === agent) return true
  const above = flow.parent_dfid === null ? null : await store.readFlow(flow.parent_dfid)
  return above?.agent_id === agent
}
