/**
 * What an agent is told about its own decisions later: every verdict and outcome, with what it wanted, why,
 * and what came of it, written in the unit that makes the decision itself durable. Nobody else writes here.
 *
 * M1 what anybody said stands in `said`, apart from what the kernel says: no snapshot repeats it, so that it
 *    is gone when the flow is erased.
 * M2 what is too long is left out whole, and named.
 */
import {
  type DecisionSaid,
  isIdentifier,
  isObject,
  isReasonCode,
  type JsonObject,
  type JsonValue,
  type LayerRecord,
  LIMITS,
  REASONS,
  type SourceLabel,
  type StoredMemory,
  shorten,
  stripHidden,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { mintSalt } from '../rows/identity.ts'
import { stripHiddenValue } from './clean.ts'

export type DecisionToRemember = Pick<
  StoredMemory,
  'at' | 'dfid' | 'attempt' | 'policy_kind' | 'outcome'
> & {
  readonly agent_id: string
  /** Null: it succeeded. */
  readonly code: string | null
  /** The contract's own word for it. */
  readonly domain_code?: string
  /** In the words of the kernel; what an outsider wrote may stand in it. */
  readonly details?: JsonObject
  /** What was proposed, and why, as far as it could be read. */
  readonly wanted?: ProposedWords
  /** What whoever acted on it returned. */
  readonly result?: JsonValue
  /** Whose word that is; an outsider's when nobody says. */
  readonly result_label?: SourceLabel
}

export type ProposedWords = { readonly params?: JsonObject; readonly rationale?: string }

/** A decision as it will be remembered, and the write that does it. */
export type RememberedDecision = {
  readonly record: LayerRecord<StoredMemory>
  readonly write: Write
}

export async function buildMemory(
  context: Context,
  decided: DecisionToRemember,
): Promise<RememberedDecision> {
  const {
    agent_id: group,
    code,
    domain_code,
    details,
    wanted,
    result,
    result_label,
    ...decision
  } = decided
  const { at, dfid, attempt } = decision
  const summary = summariseCode(code)
  const words = stripSaid(decided)
  const tokens = (await context.tokenizer()).count(toCanonicalText({ summary, ...words }))
  const key = `${at}:${dfid}:${attempt}`
  const reason_code = domain_code ?? code
  const said =
    Object.keys(words).length === 0 ? {} : { said: { ...words, salt: mintSalt(context) } }
  const body: StoredMemory = { ...decision, reason_code, summary, tokens, ...said }
  context.sweep.countDecision(group)
  return {
    record: { key, body },
    write: { kind: 'put_record', record: 'memory', group, key, body },
  }
}

function summariseCode(code: string | null): string {
  if (code === null) return 'it was carried out'
  return isReasonCode(code) ? REASONS[code].means : code
}

/** Without what nobody can see: agents and outsiders wrote it. */
function stripSaid({
  details = {},
  wanted = {},
  result,
  result_label = 'external',
}: DecisionToRemember): DecisionSaid {
  const { params, rationale } = wanted
  const left_out = [...(isLong(params) ? ['params'] : []), ...(isLong(result) ? ['result'] : [])]
  return {
    ...(params === undefined || left_out.includes('params')
      ? {}
      : { params: stripHiddenValue(params) as JsonObject }),
    ...(rationale === undefined ? {} : { rationale: shortenStripped(rationale) }),
    ...(Object.keys(details).length === 0
      ? {}
      : { details: shortenStripped(toCanonicalText(details)) }),
    ...(result === undefined || result === null || left_out.includes('result')
      ? {}
      : {
          result: stripHiddenValue(result),
          ...(result_label === 'external' ? {} : { result_label }),
        }),
    ...(left_out.length === 0 ? {} : { left_out }),
  }
}

function isLong(value: JsonValue | undefined): boolean {
  return value !== undefined && toCanonicalText(value).length > LIMITS.memorySaidLength
}

function shortenStripped(text: string): string {
  return stripHidden(shorten(text, LIMITS.memorySummaryLength))
}

/** Of a proposal that could be read, or of what looks like one. */
export function parseWanted(document: JsonValue | undefined): ProposedWords {
  if (document === undefined || !isObject(document)) return {}
  const { params, justification } = document
  return {
    ...(params !== undefined && isObject(params) ? { params } : {}),
    ...(typeof justification === 'string' ? { rationale: justification } : {}),
  }
}

/** Of a proposal that could be read, or of what looks like one. */
export function parsePolicyKind(document: JsonValue | undefined): string | null {
  const kind = document !== undefined && isObject(document) ? document.policy_kind : undefined
  return typeof kind === 'string' && isIdentifier(kind) ? kind : null
}
