/** What an entry says, in one line. Facts are the kernel's; what an agent wrote is escaped. */
import {
  describeMcpError,
  formatAmounts,
  isObject,
  type JsonObject,
  type JsonValue,
  toCanonicalText,
} from 'rubicon-kernel'
import { escapeText } from './escape-text.ts'

const LONGEST = 96

export type ShownEntry = {
  readonly trajectory: string
  readonly seq: number
  /** Null: it has no place in the tree yet. */
  readonly leaf: number | null
  readonly id: string
  readonly kind: string
  readonly at: string
  readonly dfid: string | null
  readonly summary: string
  readonly payload: JsonValue
}

/** An entry as the API has it, with what it says. */
export type ReadEntry = Omit<ShownEntry, 'summary' | 'payload'> & { readonly payload: unknown }

export function toShownEntry({ payload, ...entry }: ReadEntry): ShownEntry {
  const { trajectory, seq, leaf, id, kind, at, dfid } = entry
  const value = parsePayload(payload)
  const summary = summariseEntry(kind, value)
  return { trajectory, seq, leaf, id, kind, at, dfid, summary, payload: value }
}

/** `main/4  2026-…  rejection  LIMIT_EXCEEDED …` */
export function formatEntry({
  trajectory,
  seq,
  at,
  kind,
  summary,
}: Pick<ShownEntry, 'trajectory' | 'seq' | 'at' | 'kind' | 'summary'>): string {
  return `${trajectory}/${seq}  ${at}  ${kind.padEnd(16)}  ${escapeText(summary)}`.trimEnd()
}

/** An entry as the API shows it: what it says follows from its payload. */
export function formatEntryView(
  entry: Pick<ShownEntry, 'trajectory' | 'seq' | 'at' | 'kind'> & { readonly payload: unknown },
  gone: string = GONE,
): string {
  const summary = summariseEntry(entry.kind, parsePayload(entry.payload), gone)
  return formatEntry({ ...entry, summary })
}

/** Why something was refused or has to be asked for: the stage that said it, or what asked, and what it found. */
export function listWhys({
  kind,
  payload,
}: Pick<ReadEntry, 'kind' | 'payload'>): readonly string[] {
  const said = parsePayload(payload)
  if (!isObject(said)) return []
  if (kind === 'rejection') return listWhy(text(said, 'stage'), getMember(said, 'details'))
  const { triggers } = getMember(said, 'request')
  return kind === 'pending_approval' && Array.isArray(triggers)
    ? triggers
        .filter(isObject)
        .flatMap((one) => listWhy(text(one, 'id'), getMember(one, 'details')))
    : []
}

function listWhy(by: string, details: JsonObject): readonly string[] {
  const found = formatFound(details)
  return found === '' ? [] : [by === '' ? found : `${by}: ${found}`]
}

function formatFound(details: JsonObject): string {
  const { checked, value, limit, min, max, ...others } = details
  // What is short of an amount stands in the line of the entry.
  if (formatAmounts(details) !== '') return ''
  const isMeasured = checked !== undefined && value !== undefined
  const rest = Object.entries(isMeasured ? others : details).map(([name, one]) => {
    return `${name} ${typeof one === 'string' ? one : shortenValue(one)}`
  })
  if (!isMeasured) return rest.join(', ')
  const from = min === undefined ? '' : ` from ${String(min)}`
  const to = max === undefined ? '' : ` to ${String(max)}`
  const allowed = limit === undefined ? [] : [`\`${String(limit)}\` allows${from}${to}`]
  return [`${String(checked)} is ${String(value)}`, ...allowed, ...rest].join(', ')
}

/** Payloads are JSON, wherever they come from. */
function parsePayload(payload: unknown): JsonValue {
  return payload as JsonValue
}

const GONE = 'erased or archived'

/** `gone`: why there is no payload. */
export function summariseEntry(kind: string, payload: JsonValue, gone: string = GONE): string {
  return payload === null ? gone : summarisePayload(kind, isObject(payload) ? payload : {})
}

function summarisePayload(kind: string, payload: JsonObject): string {
  const body = getMember(payload, 'body')
  switch (kind) {
    case 'key':
      return `${text(body, 'action')} ${text(body, 'key_id')}`
    case 'contract': {
      const contract = getMember(body, 'contract')
      const named = `${text(contract, 'agent_id')} ${text(contract, 'version')}`
      return text(body, 'action') === 'spawn'
        ? `${named} of ${text(contract, 'instance_of')}`
        : named
    }
    case 'lifecycle':
      return `${text(body, 'agent_id')} → ${text(body, 'to')} by ${text(body, 'actor')}`
    case 'revocation':
      return `${text(body, 'target')} ${text(body, 'id')}`
    case 'writ': {
      const flow = getMember(payload, 'flow')
      return `${text(getMember(getMember(payload, 'writ'), 'body'), 'subject')} ${text(flow, 'trigger')}`
    }
    case 'accepted':
      return `${summariseProposal(payload)}${review(payload)}`
    case 'dispatch':
      return `${summariseDispatch(payload)} send ${text(payload, 'send')}${review(payload)}`
    case 'resend':
      return `${formatPlace(getMember(body, 'first'))} send ${text(body, 'send')}`
    case 'rejection': {
      const amounts = formatAmounts(getMember(payload, 'details'))
      const code = text(payload, 'reason_code')
      return `${code} ${amounts === '' ? '' : `(${amounts}) `}${summariseProposal(payload)}`
    }
    case 'pending_approval':
      return `${text(getMember(payload, 'request'), 'reason_code')} ${summariseProposal(payload)}`
    case 'approval':
      return `${text(getMember(payload, 'body'), 'decision')} by ${text(getMember(payload, 'body'), 'approver')}`
    case 'commit':
      return `SUCCESS${formatToolError(payload.observations)} ${shortenValue(payload.observations)}`
    case 'settle':
      return `${text(payload, 'status')} ${text(payload, 'reason_code')}`
    case 'evidence':
      return summariseEvidence(payload)
    case 'delegation':
      return `to ${text(payload, 'child_agent')} in ${text(payload, 'child_dfid')}`
    case 'source':
      return `${text(body, 'action')} ${text(body, 'source_id')}`
    case 'person':
      return `${text(body, 'action')} ${text(body, 'person_id')} ${text(body, 'into')}`.trim()
    case 'anchor':
      return `${text(body, 'action')}: ${text(body, 'reason')}`
    default:
      return ''
  }
}

function summariseEvidence(payload: JsonObject): string {
  const source = text(payload, 'source')
  const details = getMember(payload, 'details')
  if ('used' in payload) return `${source} reports about ${shortenValue(payload.used)}`
  if ('narrative' in payload) return `${source} explains ${shortenValue(payload.narrative)}`
  switch (source) {
    case 'soft_guard':
    case 'auditor':
      return `${source} ${text(payload, 'by')} found ${text(payload, 'finding')} ${shortenValue(details.why)}`
    case 'adviser': {
      const asked = `${text(payload, 'adviser')} ${text(payload, 'by')} asked ${text(payload, 'model')}`
      return `${asked}: ${text(payload, 'opinion')} ${text(payload, 'reason_code')}`.trimEnd()
    }
    case 'review':
      return `reviewed by ${text(details, 'by')} ${shortenValue(details.justification)}`
    default:
      return `${source} found ${text(payload, 'finding')}`
  }
}

/** The effect happened; that its tool speaks of an error should not be read past. */
export function formatToolError(observed: unknown): string {
  const said = describeMcpError(parsePayload(observed))
  return said === null ? '' : `, but ${said}`
}

/** What ran although a limit would have asked. */
function review({ trace }: JsonObject): string {
  const lines: readonly JsonValue[] = Array.isArray(trace) ? trace : []
  const flags = lines.flatMap((line) => {
    const flagged = isObject(line) ? line.flagged : undefined
    const found: readonly JsonValue[] = Array.isArray(flagged) ? flagged : []
    return found.flatMap((one) => (isObject(one) ? [text(one, 'id')] : []))
  })
  return flags.length === 0 ? '' : ` needs review: ${flags.join(', ')}`
}

/** What a dispatch sends; where that stands in an earlier entry, which one. */
function summariseDispatch(payload: JsonObject): string {
  const decided = summariseProposal(payload)
  if (decided !== '') return decided
  return formatPlace(getMember(payload, 'accepted'))
}

function formatPlace(place: JsonObject): string {
  return `of ${text(place, 'trajectory')}/${text(place, 'seq')}`
}

function summariseProposal(payload: JsonObject): string {
  const proposal = getMember(payload, 'proposal')
  const kind = text(proposal, 'policy_kind')
  return kind === '' ? '' : `${kind} ${shortenValue(proposal.params)}`
}

function shortenValue(value: JsonValue | undefined): string {
  const whole = value === undefined ? '' : toCanonicalText(value)
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole
}

function getMember(value: JsonObject, name: string): JsonObject {
  const inner = value[name]
  return inner !== undefined && isObject(inner) ? inner : {}
}

function text(value: JsonObject, name: string): string {
  const found = value[name]
  return found === undefined || found === null ? '' : String(found)
}
