/**
 * What whoever chooses about a dirty flow is shown: what failed, what was applied, what nobody knows yet,
 * and the choices that there are. Computed when it looks, so that it is how things stand then.
 *
 * H1 what the kernel says and what agents and providers said stand apart, under their own labels.
 * H2 it takes a bounded part of the context: a long saga must not keep its chooser from being woken.
 */
import {
  type Authority,
  isSettled,
  type JsonObject,
  type JsonValue,
  LIMITS,
  listOfferedChoices,
  type StateFact,
  toCanonicalText,
  toChoicePath,
  toChoiceSaidPath,
} from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import type { DirtyFlow } from '../saga/dirty-record.ts'
import { loadSaga, type Saga, toSagaTerms } from '../saga/load-saga.ts'
import { stripHiddenValue } from './clean.ts'
import { KERNEL_SOURCE } from './standing-fact.ts'

/** None where the choice was made, or there is none to make. */
export async function loadChoiceFacts(
  context: Context,
  dfid: string,
): Promise<readonly StateFact[]> {
  const saga = await loadSaga(context, dfid)
  const record = saga?.record ?? null
  if (saga === null || record === null || record.body.standing !== 'open') return []
  const authority = await context.authorities.loadLatest()
  const rows = listByUrgency(saga, record)
  const count = await createTokenCounter(context)
  const steps = selectFitting(rows.map(toStepSummary), count)
  const said = selectFitting(rows.map(sanitiseStepWords), count)
  const fact = {
    source: KERNEL_SOURCE,
    observed_at: findLastMoved(rows, record.body.since),
    // A flow may be dirty again. The version of its record is drawn, and nothing that is recorded may depend on chance.
    version: record.body.since,
  }
  const told = {
    ...buildChoiceHead(authority, saga, record),
    ...groupSteps(rows, steps.kept),
    ...steps.rest,
  }
  return [
    { path: toChoicePath(dfid), label: 'trusted', value: told, ...fact },
    { path: toChoiceSaidPath(dfid), label: 'external', value: toSaidValue(said), ...fact },
  ]
}

function buildChoiceHead(
  authority: Authority,
  { flow, steps }: Saga,
  { body: { since, cause } }: DirtyFlow,
): JsonObject {
  const { dfid, agent_id } = flow
  const menu = [...listOfferedChoices(toSagaTerms(authority, flow, steps))]
  return { dfid, agent_id, since, cause, menu }
}

/** What failed first, its cause before all; then what is open; then what was applied, newest first. */
function listByUrgency({ steps }: Saga, { body: { cause } }: DirtyFlow): readonly ExecutionRow[] {
  const rows = steps.toReversed().map(({ row }) => row)
  const isCause = ({ dfid, step_id }: ExecutionRow): boolean =>
    dfid === cause.dfid && step_id === cause.step_id
  const others = rows.filter((row) => !isCause(row))
  const selectGroup = (group: Group): readonly ExecutionRow[] =>
    others.filter((row) => toGroup(row) === group)
  return [
    ...rows.filter(isCause),
    ...selectGroup('failed'),
    ...selectGroup('uncertain'),
    ...selectGroup('applied'),
  ]
}

type Group = 'failed' | 'applied' | 'uncertain'

function toGroup({ status }: Pick<ExecutionRow, 'status'>): Group {
  if (status === 'SUCCESS') return 'applied'
  return isSettled(status) ? 'failed' : 'uncertain'
}

function groupSteps(rows: readonly ExecutionRow[], kept: readonly JsonObject[]): JsonObject {
  const selectKept = (group: Group): JsonValue =>
    kept.filter((_, place) => toGroup(rows[place] ?? { status: 'FAILED' }) === group)
  return {
    failed: selectKept('failed'),
    applied: selectKept('applied'),
    uncertain: selectKept('uncertain'),
  }
}

function toStepSummary({
  dfid,
  step_id,
  policy_kind,
  status,
  reason_code,
}: ExecutionRow): JsonObject {
  return { dfid, step_id, policy_kind, status, reason_code }
}

/** The parameters are an agent's, the rest is what a provider answered. */
function sanitiseStepWords({ dfid, step_id, intent, result, details }: ExecutionRow): JsonObject {
  const { params } = parseIntent(intent)
  const value = stripHiddenValue({ params, result, details })
  return { dfid, step_id, ...(value as JsonObject) }
}

function toSaidValue({ kept, rest }: Fitting): JsonObject {
  return { steps: [...kept], ...rest }
}

/** When the last of them moved. */
function findLastMoved(rows: readonly ExecutionRow[], since: string): string {
  return rows
    .map(({ settled_at, last_sent_at }) => settled_at ?? last_sent_at)
    .reduce((latest, at) => (at > latest ? at : latest), since)
}

type Counter = { readonly of: (text: string) => number; readonly most: number }
type Fitting = { readonly kept: readonly JsonObject[]; readonly rest: { left_out?: number } }

/** Each of the two facts may have so much of the context. */
async function createTokenCounter({ tokenizer, contextTokens }: Context): Promise<Counter> {
  const counts = await tokenizer()
  const most = Math.floor((contextTokens ?? LIMITS.contextTokens) / LIMITS.choiceShare)
  return { of: (text) => counts.count(text), most }
}

/** As many from the beginning as there is room for. */
function selectFitting(items: readonly JsonObject[], { of, most }: Counter): Fitting {
  const kept: JsonObject[] = []
  let used = 0
  for (const item of items) {
    used += of(toCanonicalText(item))
    if (used > most) break
    kept.push(item)
  }
  const left_out = items.length - kept.length
  return { kept, rest: left_out > 0 ? { left_out } : {} }
}
