/** Holds the rows of a flow against the fold of its entries. The first that differs, or null. */
import {
  type ExecutionStatus,
  isSettled,
  type JsonValue,
  LIMITS,
  parseInstant,
  toCanonicalText,
} from 'rubicon-kernel'
import type { StoredRecord } from '../../../ports/record.ts'
import type { ExecutionRow, FlowRow } from '../../../ports/store.ts'
import type { FlowFold } from './flow-fold.ts'
import type { RequestFold } from './request-fold.ts'
import { hasEnded } from './standing.ts'
import type { StepFold } from './step-fold.ts'

export type Difference = { readonly row: string; readonly detail: string }

/** A row says when its unit was made, an entry when it became durable. */
const APART_MS = 2 * LIMITS.dispatchWithinMs

export function compareFlow(flow: FlowRow, fold: FlowFold): Difference | null {
  const row = `flow \`${flow.dfid}\``
  const wrong = findMemberDifference(flow, fold)
  if (wrong !== null) return { row, detail: wrong }
  const { state, rejections, transient_rejections } = flow
  const standing = fold.standings.find((one) => {
    const isCounted =
      one.rejections === rejections && one.transient_rejections === transient_rejections
    return one.state === state && isCounted
  })
  if (standing !== undefined) return null
  const said = fold.standings.map((one) => `${one.state} after ${one.rejections} refusals`)
  return {
    row,
    detail: `it is ${state} after ${rejections} refusals, and not ${said.join(' or ')}`,
  }
}

/** Of a flow that was erased nothing is left to fold: it had ended, and nothing of it goes on. */
export function compareErased(
  dfid: string,
  flow: FlowRow | null,
  executions: readonly ExecutionRow[],
): Difference | null {
  const row = `flow \`${dfid}\``
  if (flow === null) return { row, detail: 'it is missing' }
  if (!hasEnded(flow)) return { row, detail: `it is ${flow.state}, and was erased` }
  const open = executions.find(({ status }) => !isSettled(status))
  if (open === undefined) return null
  return { row: stepName(dfid, open.step_id), detail: `it is ${open.status}, and was erased` }
}

/** What never changes, and what the last entry about it says. */
function findMemberDifference(flow: FlowRow, { opening, ...fold }: FlowFold): string | null {
  const { writ, flow: opened } = opening
  const [own] = flow.writs
  const said: readonly (readonly [string, JsonValue, JsonValue])[] = [
    ['agent_id', flow.agent_id, opened.agent_id],
    ['trigger', flow.trigger, opened.trigger],
    ['parent_dfid', flow.parent_dfid, opened.parent_dfid ?? null],
    ['trajectory', flow.trajectory, fold.trajectory],
    ['steps', flow.steps, opened.steps],
    ['contract_hash', flow.contract_hash, opened.contract.hash],
    ['contract_seq', flow.contract_seq, opened.contract.seq],
    ['mission_hash', flow.mission_hash, opened.snapshot.mission_context_hash ?? null],
    ['event', flow.event?.event_id ?? null, opened.event_id ?? null],
    ['writs', own?.id ?? null, writ.id],
    ['writs', own?.nonce ?? null, writ.body.nonce],
    ['opened_at', flow.opened_at, fold.opened_at],
    ['expires_at', flow.expires_at, writ.body.window.expires_at],
    ['snapshot_id', flow.snapshot_id, fold.shown.snapshot_id],
    ['attempts', flow.attempts, fold.attempts],
    ['tags', flow.tags.includes('DIRTY'), fold.dirty],
    ['tags', flow.tags.includes('UNKNOWN'), fold.unknown],
  ]
  const wrong = said.find(([, is, was]) => is !== was)
  if (wrong !== undefined)
    return `\`${wrong[0]}\` is ${formatValue(wrong[1])}, and was ${formatValue(wrong[2])}`
  // Earlier is more careful: what was shown is older, and who is silent is so for longer.
  if (isLater(flow.snapshot_at, fold.shown.at)) return '`snapshot_at` is later than it was'
  return isLater(flow.updated_at, fold.last_at) ? '`updated_at` is later than it was' : null
}

export function compareSteps(
  dfid: string,
  rows: readonly ExecutionRow[],
  fold: FlowFold,
): Difference | null {
  for (const row of rows) {
    const step = fold.steps.get(row.step_id)
    const name = stepName(dfid, row.step_id)
    if (step === undefined) return { row: name, detail: 'nothing of it was decided' }
    const wrong = stepProblem(row, step)
    if (wrong !== null) return { row: name, detail: wrong }
  }
  const gone = [...fold.steps.keys()].find((id) => !rows.some(({ step_id }) => step_id === id))
  return gone === undefined ? null : { row: stepName(dfid, gone), detail: 'it is missing' }
}

function stepName(dfid: string, step: string): string {
  return `step \`${step}\` of flow \`${dfid}\``
}

function stepProblem(row: ExecutionRow, step: StepFold): string | null {
  const { intent, status } = step
  const said: readonly (readonly [string, JsonValue, JsonValue])[] = [
    ['trajectory', row.trajectory, intent.trajectory],
    ['status', row.status, status],
    ['policy_kind', row.policy_kind, intent.policy_kind],
    ['params_fingerprint', row.params_fingerprint, intent.params_fingerprint],
    ['idempotency_key', row.idempotency_key, intent.idempotency_key],
    ['dispatched', row.dispatched.trajectory, step.dispatched.trajectory],
    ['dispatched', row.dispatched.seq, step.dispatched.seq],
    ['dispatched_at', row.dispatched_at, step.dispatched_at],
    ['last_sent_at', row.last_sent_at, step.last_sent_at],
    ['sends', row.sends, step.sends],
    ['settled_at', row.settled_at, step.settled_at],
    ['next_at', row.next_at === null, !isUncertain(status)],
  ]
  const wrong = said.find(([, is, was]) => is !== was)
  if (wrong !== undefined)
    return `\`${wrong[0]}\` is ${formatValue(wrong[1])}, and was ${formatValue(wrong[2])}`
  if (row.intent !== toCanonicalText(intent)) return 'its intent is not the one that was signed'
  const { least, most } = step.probes
  if (row.probes < least || row.probes > most)
    return `it was looked into ${most} times, and not ${row.probes}`
  return findOutcomeProblem(row, step)
}

function isUncertain(status: ExecutionStatus): boolean {
  return status === 'UNKNOWN' || status === 'NOT_APPLIED'
}

/** What is told to whoever asks again. */
function findOutcomeProblem(row: ExecutionRow, step: StepFold): string | null {
  // While it is on its way again, the row still says why the send before came to nothing.
  if (step.status === 'DISPATCHED' || step.status === 'ACCEPTED') return null
  if (row.reason_code !== step.reason_code)
    return `\`reason_code\` is ${formatValue(row.reason_code)}, and was ${formatValue(step.reason_code)}`
  if (!isSame(row.details, step.details)) return '`details` differ'
  if (step.status !== 'SUCCESS')
    return row.result === null && row.receipt === null ? null : 'there is a `result`, and no effect'
  if (!isSame(row.receipt, step.receipt)) return '`receipt` differs'
  const isTold = step.observations.some((one) => isSame(one, row.result))
  return isTold || (row.result === null && step.observations.length === 0)
    ? null
    : '`result` differs'
}

/** What a step holds while it is open, against the records of those resources. */
export function compareHolds(
  dfid: string,
  fold: FlowFold,
  held: ReadonlyMap<string, StoredRecord<'lock'> | null>,
): Difference | null {
  for (const { intent, status, sends } of fold.steps.values()) {
    for (const { id, amount, capacity = null } of isSettled(status) ? [] : intent.resources) {
      const row = `the hold of ${stepName(dfid, intent.step_id)} on \`${id}\``
      const body = held.get(holdKey(intent.step_id, id))?.body
      if (body === undefined) return { row, detail: 'it is missing' }
      const { step_id, agent_id } = intent
      const said = { dfid, step_id, agent_id, amount, capacity }
      const { taken_at: _, expires_at, quarantined, ...is } = body
      const isEnding = status === 'ACCEPTED'
      const isMarked = status === 'UNKNOWN' || status === 'MANUAL_REVIEW'
      // Sent again, it is still marked by the send of which nobody knows.
      const mayBeMarked = isMarked || (status === 'DISPATCHED' && sends > 1)
      const isWrong = quarantined ? !mayBeMarked : isMarked
      if (!isSame(is, said) || isWrong || (expires_at !== null) !== isEnding)
        return { row, detail: 'its content differs' }
    }
  }
  return null
}

export function holdKey(step: string, resource: string): string {
  return `${step}\0${resource}`
}

/** A request that waits, against its record. */
export function compareRequest(
  { request, proposal, approvals, standing }: RequestFold,
  record: StoredRecord<'escalation'> | null,
): Difference | null {
  const row = `request \`${request.id}\``
  if (record === null) return { row, detail: `it is not ${standing} any more` }
  const { body } = record
  if (!isSame(body.request, request)) return { row, detail: 'its content differs' }
  if (standing === 'open' && !isSame(body.proposal, proposal))
    return { row, detail: 'it is about another proposal' }
  const counted = body.counted.map(({ approver, decision }) => [approver, decision])
  const said = approvals.map(({ body: { approver, decision } }) => [approver, decision])
  return isSame(counted, said) ? null : { row, detail: 'its approvals differ' }
}

function isSame(a: unknown, b: unknown): boolean {
  return toCanonicalText(a as JsonValue) === toCanonicalText(b as JsonValue)
}

function isLater(row: string, entry: string): boolean {
  const [is, was] = [parseInstant(row), parseInstant(entry)]
  return is === undefined || was === undefined || is - was > APART_MS
}

function formatValue(value: JsonValue): string {
  return value === null ? 'nothing' : `\`${String(value)}\``
}
