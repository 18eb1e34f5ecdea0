/**
 * Whether the rows that guard a flow are what the ledger says of it.
 *
 * V1 entries are held against their tiles before they are folded: what is compared with rows is what was
 *    signed.
 * V2 rows and entries are of one moment: what moved while it was read is read again.
 * V3 a flow that the ledger knows has its row, and a row has its flow.
 */
import { toBudgetUnits, type Writ, type WritPayload } from 'rubicon-kernel'
import { lockHolder, type StoredRecord } from '../../../ports/record.ts'
import type { ExecutionRow, FlowRow, StoredEntry } from '../../../ports/store.ts'
import type { Deps } from '../../deps.ts'
import { readAllExecutions } from '../../rows/all-executions.ts'
import { listBudgetUnits, toCounterId } from '../../rows/budget-counters.ts'
import { listOpenAtoms } from '../../rows/open-atoms.ts'
import { listFlowGenerations } from '../../rows/open-generations.ts'
import { TreeCheck } from '../../rows/tree-check.ts'
import {
  compareErased,
  compareFlow,
  compareHolds,
  compareRequest,
  compareSteps,
  type Difference,
  holdKey,
} from './compare-flow.ts'
import { type FlowFold, foldFlow, isOver } from './flow-fold.ts'

type Needed = Pick<Deps, 'store' | 'sha256'>

type Rows = {
  readonly flow: FlowRow | null
  readonly executions: readonly ExecutionRow[]
  readonly entries: readonly StoredEntry[]
}

/** Beyond so many times it moves whenever it is looked at, and somebody else looks at it too. */
const TRIES = 5

/** What differs first; null: nothing does. */
export async function checkFlow(deps: Needed, dfid: string): Promise<Difference | null> {
  let rows = await readRows(deps, dfid)
  for (let tries = 0; tries < TRIES; tries++) {
    const difference = await compareRows(deps, dfid, rows)
    if (difference === null) return null
    const again = await readRows(deps, dfid)
    if (isUnmoved(rows, again)) return difference
    rows = again
  }
  return null
}

async function readRows({ store }: Needed, dfid: string): Promise<Rows> {
  const flow = await store.readFlow(dfid)
  const executions = await readAllExecutions(store, { dfid })
  return { flow, executions, entries: await store.listFlowEntries(dfid) }
}

function isUnmoved(before: Rows, after: Rows): boolean {
  const joinVersions = ({ executions }: Rows): string => executions.map((row) => row.version).join()
  return (
    before.flow?.version === after.flow?.version &&
    before.entries.length === after.entries.length &&
    joinVersions(before) === joinVersions(after)
  )
}

async function compareRows(
  deps: Needed,
  dfid: string,
  { flow, executions, entries }: Rows,
): Promise<Difference | null> {
  await new TreeCheck(deps.store, deps.sha256).check(entries)
  const fold = foldFlow(dfid, entries)
  if (fold === null) return compareErased(dfid, flow, executions)
  const row = `flow \`${dfid}\``
  if (fold === undefined) {
    if (flow === null && executions.length === 0) return null
    return { row, detail: 'the ledger has no such flow' }
  }
  if (flow === null) return { row, detail: 'it is missing' }
  return (
    compareFlow(flow, fold) ??
    (await compareChain(deps, flow, fold)) ??
    compareSteps(dfid, executions, fold) ??
    findLaterEngine(deps, executions) ??
    (isOver(fold) ? null : await compareBudget(deps, fold)) ??
    compareHolds(dfid, fold, await readHolds(deps, dfid, fold)) ??
    (await compareRequests(deps, fold)) ??
    (deps.store.exposed ? await compareRecords(deps, dfid, fold) : null)
  )
}

/** Where engines follow one another, none that is later than this one has sent anything. */
function findLaterEngine({ store }: Needed, rows: readonly ExecutionRow[]): Difference | null {
  const later = rows.find(({ epoch }) => !store.shared && store.epoch > 0 && epoch > store.epoch)
  if (later === undefined) return null
  const { dfid, step_id, epoch } = later
  const row = `step \`${step_id}\` of flow \`${dfid}\``
  return { row, detail: `engine ${epoch} sent it, and this is engine ${store.epoch}` }
}

/**
 * Half a job that is open has its record: whoever puts it right is found by that. What a step has spawned
 * has one too: asked again, the same child is answered.
 */
async function compareRecords(
  { store }: Needed,
  dfid: string,
  { dirty, steps }: FlowFold,
): Promise<Difference | null> {
  if (dirty && (await store.readRecord('dirty_flow', 'open', dfid)) === null)
    return { row: `half a job \`${dfid}\``, detail: 'it is missing' }
  const open = new Set((await listOpenAtoms(store, dfid)).map(({ key }) => key))
  for (const { intent, status } of steps.values()) {
    if (intent.atom_id !== undefined && open.has(intent.atom_id))
      return { row: `atom \`${intent.atom_id}\``, detail: 'it was used, and is open again' }
    if (intent.policy_kind !== 'SPAWN_CHILD' || status !== 'SUCCESS') continue
    const record = await store.readRecord('spawned_child', dfid, intent.step_id)
    if (record?.body.intent_id !== intent.intent_id)
      return {
        row: `what step \`${intent.step_id}\` of flow \`${dfid}\` has spawned`,
        detail: 'it is missing',
      }
  }
  return null
}

/** Each writ names the one above it, and the last is that of the flow at the root. */
async function compareChain(
  deps: Needed,
  { dfid, writs, root_dfid }: FlowRow,
  { opening }: FlowFold,
): Promise<Difference | null> {
  const differs = { row: `flow \`${dfid}\``, detail: 'its writs differ' }
  let above = opening.writ.body.parent
  for (const { id, nonce } of writs.slice(1)) {
    const writ = id === above ? await readOpeningWrit(deps, nonce) : null
    if (writ?.id !== id) return differs
    above = writ.body.parent
  }
  const isWhole = above === undefined && writs.at(-1)?.nonce === root_dfid
  return isWhole ? null : differs
}

async function readOpeningWrit({ store, sha256 }: Needed, dfid: string): Promise<Writ | null> {
  const entries = await store.listFlowEntries(dfid)
  const opening = entries.find(({ envelope }) => envelope.kind === 'writ')
  if (opening === undefined || opening.payload === null) return null
  await new TreeCheck(store, sha256).check([opening])
  return (JSON.parse(opening.payload) as WritPayload).writ
}

/** What was reserved and spent, with what children took of it, what atoms hold, and what a model was asked for. */
async function compareBudget(deps: Needed, fold: FlowFold): Promise<Difference | null> {
  const used = new Map(fold.budget.used)
  const { nonce, budget } = fold.opening.writ.body
  for (const dfid of fold.children) {
    const writ = await readOpeningWrit(deps, dfid)
    for (const [measure, amount] of Object.entries(writ?.body.budget ?? {})) {
      const id = toCounterId(nonce, measure)
      used.set(id, (used.get(id) ?? 0) + Number(toBudgetUnits(measure, amount) ?? 0n))
    }
  }
  for (const { body } of await listOpenAtoms(deps.store, fold.opening.flow.dfid))
    for (const [id, units] of listBudgetUnits(nonce, body.atom.reserved_cost))
      used.set(id, (used.get(id) ?? 0) + units)
  for (const { reserved } of await listFlowGenerations(deps.store, fold.opening.flow.dfid))
    for (const [id, units] of listBudgetUnits(nonce, reserved))
      used.set(id, (used.get(id) ?? 0) + units)
  for (const measure of Object.keys(budget)) {
    const id = toCounterId(nonce, measure)
    if (!used.has(id)) used.set(id, 0)
  }
  for (const [id, units] of used) {
    const counted = await deps.store.readCounter(id)
    if (counted !== units)
      return { row: `counter \`${id}\``, detail: `it is ${counted}, and was ${units}` }
  }
  return null
}

async function readHolds(
  { store }: Needed,
  dfid: string,
  fold: FlowFold,
): Promise<ReadonlyMap<string, StoredRecord<'lock'> | null>> {
  const held = new Map<string, StoredRecord<'lock'> | null>()
  for (const { intent } of fold.steps.values()) {
    const holder = lockHolder(dfid, intent.step_id)
    for (const { id } of intent.resources)
      held.set(holdKey(intent.step_id, id), await store.readRecord('lock', id, holder))
  }
  return held
}

async function compareRequests({ store }: Needed, fold: FlowFold): Promise<Difference | null> {
  // What a flow that is over asked nobody answers any more, whatever became of its record.
  const isWaiting = fold.standings.some(({ state }) => state === 'ESCALATED')
  for (const request of fold.requests.values()) {
    const { standing } = request
    const { id } = request.request
    if (standing === 'doubtful' || (standing !== 'ended' && !isWaiting)) continue
    const difference =
      standing === 'ended'
        ? null
        : compareRequest(request, await store.readRecord('escalation', standing, id))
    if (difference !== null) return difference
    // An approval counts once: one that was used, or a request that has its answer, is nowhere else.
    for (const state of store.exposed ? (['open', 'approved'] as const) : [])
      if (state !== standing && (await store.readRecord('escalation', state, id)) !== null)
        return { row: `request \`${id}\``, detail: `it is ${state} again` }
  }
  return null
}
