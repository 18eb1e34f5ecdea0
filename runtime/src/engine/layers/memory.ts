/**
 * What an agent is told about its own decisions later: every verdict and outcome, in a few words,
 * written in the unit that makes the decision itself durable. Nobody else writes here.
 */
import {
  canonicalText,
  isIdentifier,
  isObject,
  isReasonCode,
  type JsonObject,
  type JsonValue,
  type LayerRecord,
  LIMITS,
  type MemoryEntry,
  REASONS,
  sanitise,
  shorten,
} from 'rubicon-kernel'
import type { Write } from '../../ports/store.ts'
import type { Context } from '../context.ts'

export type Decided = Pick<MemoryEntry, 'at' | 'dfid' | 'attempt' | 'policy_kind' | 'outcome'> & {
  readonly agent_id: string
  /** Null: it succeeded. */
  readonly code: string | null
  /** The contract's own word for it. */
  readonly domain_code?: string
  /** In the words of the kernel; what an outsider wrote may stand in it. */
  readonly details?: JsonObject
}

/** A decision as it will be remembered, and the write that does it. */
export type Remembered = {
  readonly record: LayerRecord<MemoryEntry>
  readonly write: Write
}

export async function remembered(context: Context, decided: Decided): Promise<Remembered> {
  const { agent_id: group, code, domain_code, details = {}, ...decision } = decided
  const { at, dfid, attempt } = decision
  const summary = summaryOf(code, details)
  const tokens = (await context.tokenizer()).count(summary)
  const key = `${at}:${dfid}:${attempt}`
  const body: MemoryEntry = { ...decision, reason_code: domain_code ?? code, summary, tokens }
  context.sweep.remembered(group)
  return {
    record: { key, body },
    write: { kind: 'put_record', record: 'memory', group, key, body },
  }
}

/** Short, and without what nobody can see: values from outside stand in the details. */
function summaryOf(code: string | null, details: JsonObject): string {
  if (code === null) return 'it was carried out'
  const means = isReasonCode(code) ? REASONS[code].means : code
  if (Object.keys(details).length === 0) return means
  const text = shorten(canonicalText(details), LIMITS.memorySummaryLength)
  return `${means}: ${sanitise(text).text}`
}

/** Of a proposal that could be read, or of what looks like one. */
export function policyKindOf(document: JsonValue | undefined): string | null {
  const kind = document !== undefined && isObject(document) ? document.policy_kind : undefined
  return typeof kind === 'string' && isIdentifier(kind) ? kind : null
}
