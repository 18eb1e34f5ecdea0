/** One execution, put together from the entries of its flow: what was decided, shown and returned. */
import {
  type CommitPayload,
  type DecisionRecord,
  isAccepted,
  isObject,
  type JsonValue,
  type OpinionPayload,
  parseSource,
  type SettlePayload,
  type SignedIntent,
  type Snapshot,
  toWatchedText,
} from 'rubicon-kernel'
import type { StoredEntry } from '../../ports/store.ts'
import { parseSnapshotHolder } from '../ledger/snapshot-cache.ts'

type Decision = DecisionRecord & { readonly intent?: SignedIntent }

export type Execution = {
  readonly intent: SignedIntent
  readonly decision: Decision
  /** Null: it did not succeed. */
  readonly commit: CommitPayload | null
  readonly entries: readonly StoredEntry[]
  /** That of the decision. */
  readonly decided: StoredEntry
}

/** Null: its decision was erased, or it has none. */
export function findExecution(
  entries: readonly StoredEntry[],
  isIt: (intent: SignedIntent) => boolean,
): Execution | null {
  for (const decided of entries) {
    const { envelope, payload } = decided
    if (envelope.kind !== 'dispatch' && envelope.kind !== 'accepted') continue
    const decision = payload === null ? null : parseAs<Decision>(payload)
    const intent = decision?.intent
    if (decision === null || intent === undefined || !isIt(intent)) continue
    return { intent, decision, commit: findCommit(entries, intent), entries, decided }
  }
  return null
}

function findCommit(
  entries: readonly StoredEntry[],
  { intent_id }: SignedIntent,
): CommitPayload | null {
  for (const { envelope, payload } of entries) {
    if (envelope.kind !== 'commit' || payload === null) continue
    const commit = parseAs<CommitPayload>(payload)
    if (commit.intent_id === intent_id) return commit
  }
  return null
}

/**
 * The value of an execution that a source names; undefined where executions of its kind have none.
 * Only a measure can be none of a kind's: a capability declares what it measures, and everything
 * else that is missing is missing where it should be.
 */
export function findSourceValue(execution: Execution, source: string): string | null | undefined {
  const read = parseSource(source)
  switch (read?.kind) {
    case 'measure': {
      const measures = getMeasures(execution.decision)
      return Object.hasOwn(measures, read.name) ? toWatchedText(measures[read.name]) : undefined
    }
    case 'param':
      return toWatchedText(findMember(execution.intent.params, read.name))
    case 'state':
      return toWatchedText(findStateValue(execution, read.name))
    case 'result':
      return toWatchedText(findMember(execution.commit?.observations[0], read.name))
    default:
      // Outcome and findings are no part of what was decided: the sampler has them in its hand.
      return null
  }
}

function getMeasures({ trace }: Decision): Readonly<Record<string, JsonValue>> {
  return trace.find(({ measures }) => measures !== undefined)?.measures ?? {}
}

/** A member by its name, or by names that dots join. */
function findMember(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (!isObject(value)) return undefined
  if (Object.hasOwn(value, path)) return value[path]
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    if (Object.hasOwn(value, name)) return findMember(value[name], path.slice(dot + 1))
  }
  return undefined
}

/**
 * What the verdict was given on; else what the agent was shown. A monitor decides, so that it reads what
 * limits read: a fact below their label is absent, whatever it says.
 */
function findStateValue(
  { decision, intent, entries }: Execution,
  path: string,
): JsonValue | undefined {
  const isNamed = (fact: { readonly path: string }): boolean => fact.path === path
  const read = decision.facts?.state.find(isNamed)
  const fact = read ?? findShownState(entries, intent.snapshot_id).find(isNamed)
  return fact !== undefined && isAccepted(fact, []) ? fact.value : undefined
}

function findShownState(entries: readonly StoredEntry[], snapshotId: string): Snapshot['state'] {
  for (const entry of entries) {
    const holder = parseSnapshotHolder(entry)
    if (holder?.snapshot_id === snapshotId)
      return (holder.snapshot as Partial<Snapshot>).state ?? []
  }
  return []
}

/** What an entry says of an execution, if it says anything: how it settled, or what was found. */
export type ExecutionReport =
  | { readonly kind: 'settled'; readonly intent_id: string; readonly status: string }
  | {
      readonly kind: 'found'
      readonly auditor: string
      readonly step_id: string
      readonly proposal_hash: string
      readonly finding: string
    }

export function parseSaid({ envelope, payload }: StoredEntry): ExecutionReport | null {
  if (payload === null) return null
  if (envelope.kind === 'commit')
    return {
      kind: 'settled',
      intent_id: parseAs<CommitPayload>(payload).intent_id,
      status: 'SUCCESS',
    }
  if (envelope.kind === 'settle') {
    const { intent_id, status } = parseAs<SettlePayload>(payload)
    return { kind: 'settled', intent_id, status }
  }
  if (envelope.kind !== 'evidence') return null
  const opinion = parseAs<Partial<OpinionPayload>>(payload)
  const { source, by = '', step_id = '', proposal_hash = '', finding = '' } = opinion
  if (source !== 'auditor') return null
  return { kind: 'found', auditor: by, step_id, proposal_hash, finding }
}

/** Entries in our own store are what we wrote there. */
function parseAs<T>(text: string): T {
  return JSON.parse(text) as T
}
