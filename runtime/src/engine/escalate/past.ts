/**
 * What an agent has done before, as far as that says whether it does something unusual now. Read when
 * it escalates, so that what is simply accepted pays nothing for it.
 */
import {
  type AcceptedPayload,
  type AgentPast,
  type CapabilityDescription,
  compareDecimal,
  formatDecimal,
  LIMITS,
  toDecimal,
  toMagnitude,
} from 'rubicon-kernel'
import type { StoredEntry } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'

export async function loadAgentPast(
  { store }: Context,
  agent: string,
  { kind, exposure }: Pick<CapabilityDescription, 'kind' | 'exposure'>,
): Promise<AgentPast> {
  const memory = await store.listRecords('memory', agent, {
    newest: true,
    limit: LIMITS.memoryKept,
  })
  const done = memory.map(({ body }) => body).filter(({ outcome }) => outcome === 'SUCCESS')
  const same = done.filter(({ policy_kind }) => policy_kind === kind)
  const past = { successes: done.length, of_kind: same.length }
  if (exposure === undefined) return { ...past, largest: null }
  const flows = new Set(same.slice(0, LIMITS.pastSuccesses).map(({ dfid }) => dfid))
  let largest: string | null = null
  for (const dfid of flows)
    for (const entry of await store.listFlowEntries(dfid, ['accepted', 'dispatch']))
      largest = pickLarger(largest, parseEntryMeasure(entry, kind, exposure.measure))
  return { ...past, largest }
}

/** The size of what the kernel computed when it decided, if this is where it did. */
function parseEntryMeasure({ payload }: StoredEntry, kind: string, measure: string): string | null {
  if (payload === null) return null
  const { intent, trace } = JSON.parse(payload) as Partial<AcceptedPayload>
  if (intent?.policy_kind !== kind || trace === undefined) return null
  const { measures = {} } = trace.find(({ stage }) => stage === 'preconditions') ?? {}
  const value = toDecimal(Object.hasOwn(measures, measure) ? (measures[measure] ?? null) : null)
  return value === undefined ? null : formatDecimal(toMagnitude(value))
}

function pickLarger(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  const [left, right] = [toDecimal(a), toDecimal(b)]
  if (left === undefined || right === undefined) return a
  return compareDecimal(left, right) < 0 ? b : a
}
