/**
 * What an entry changes in the search index. Pure: the same entry after the same capabilities gives the same change.
 *
 * What a row of the store says about a flow, a step or a request (its state, its tags) is not here: the index reads
 * the rows that an entry touched (`read-touched.ts`). A payload that was erased, or lies in an archive, changes
 * nothing but the row of its entry.
 */
import {
  describeObject,
  type EntryKind,
  isObject,
  type JsonObject,
  type JsonValue,
  parseInstant,
} from 'rubicon-kernel'
import type { LeafEntry } from 'rubicon-runtime/ports'
import { collectTexts } from './flow-words.ts'
import { foldHappening, type Happening } from './fold-happening.ts'
import { type FoundAmount, findAmount } from './found-amount.ts'
import { type EntryPayload, parseEntryPayload } from './parse-payload.ts'

/** `ended`: no verdict, but a reason: the flow was ended, or an effect settled otherwise than wanted. */
export const OUTCOMES = ['accepted', 'rejected', 'escalated', 'ended'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** In a filter; `decided`: any verdict. */
export const ASKED_OUTCOMES = ['accepted', 'rejected', 'escalated', 'ended', 'decided'] as const
export type AskedOutcome = (typeof ASKED_OUTCOMES)[number]

export type FoldedVerdict = {
  readonly outcome: Outcome
  readonly reason: string | null
  readonly kind: string | null
  readonly object: string | null
  readonly amount: FoundAmount | null
  /** From the moment that the facts are of to that of the entry; null: nobody knows. */
  readonly took_ms: number | null
  /** The step that it lets be done; null: none. */
  readonly step: string | null
}

export type FoldedRequest = {
  readonly id: string
  readonly object: string | null
  readonly amount: FoundAmount | null
}

export type IndexChange = {
  readonly leaf: number
  readonly at: number
  readonly kind: EntryKind
  readonly trajectory: string
  readonly dfid: string | null
  /** Of an entry without a flow: whom it speaks of. The agent of a flow stands in its row. */
  readonly agent: string | null
  readonly reason: string | null
  readonly verdict: FoldedVerdict | null
  readonly request: FoldedRequest | null
  readonly happening: Happening | null
  /** Texts that its flow is found by, or where it has none, the entry. */
  readonly texts: readonly string[]
  /** Its payload is gone: the words of this flow leave the index. */
  readonly erases: string | null
}

/** What the ledger says of kinds of actions: how an object is named, and what its amount is. */
export type KnownKind = {
  readonly scopes: Readonly<Record<string, string>>
  /** Of its parameters. */
  readonly schema: JsonObject
  readonly exposure: string | null
}
export type KnownKinds = ReadonlyMap<string, KnownKind>

const NO_KIND: KnownKind = { scopes: {}, schema: {}, exposure: null }

export function foldEntry(entry: LeafEntry, kinds: KnownKinds): IndexChange {
  const { leaf, envelope } = entry
  const payload = entry.payload === null ? {} : parseEntryPayload(entry.payload)
  const at = parseInstant(envelope.at) ?? 0
  const proposal = isObject(payload.proposal) ? payload.proposal : null
  const action = describeAction(proposal, payload, kinds)
  const verdict = foldVerdict(envelope.kind, payload, at, action)
  return {
    leaf,
    at,
    kind: envelope.kind,
    trajectory: envelope.trajectory,
    dfid: envelope.dfid ?? null,
    agent: envelope.dfid === undefined ? findNamedAgent(envelope.kind, payload) : null,
    reason: payload.reason_code ?? payload.request?.reason_code ?? null,
    verdict,
    request: foldRequest(payload, action),
    happening: foldHappening(entry, payload),
    texts: listTexts(envelope.kind, payload, proposal),
    erases: envelope.kind === 'erasure' ? (payload.body?.dfid ?? null) : null,
  }
}

/** The kinds that an entry makes known: of rules, or of one capability. */
export function listKnownKinds({ envelope, payload }: LeafEntry): ReadonlyMap<string, KnownKind> {
  if (envelope.kind !== 'policy' || payload === null) return new Map()
  const { body } = parseEntryPayload(payload)
  const records = [...(body?.capabilities ?? []), ...(body?.capability === undefined ? [] : [body])]
  return new Map(
    records.flatMap(({ capability }) =>
      capability === undefined
        ? []
        : [
            [
              capability.kind,
              {
                scopes: capability.scopes ?? {},
                schema: capability.params ?? {},
                exposure: capability.exposure?.measure ?? null,
              },
            ],
          ],
    ),
  )
}

type FoldedAction = Pick<FoldedVerdict, 'kind' | 'object' | 'amount'>

function describeAction(
  proposal: JsonObject | null,
  { trace = [] }: EntryPayload,
  kinds: KnownKinds,
): FoldedAction {
  const kind = typeof proposal?.policy_kind === 'string' ? proposal.policy_kind : null
  if (proposal === null || kind === null) return { kind, object: null, amount: null }
  const { scopes, schema, exposure } = kinds.get(kind) ?? NO_KIND
  const params = isObject(proposal.params) ? proposal.params : {}
  const object = describeObject({ scopes, params: schema }, params)
  const measures = trace.find((stage) => stage.measures !== undefined)?.measures ?? {}
  return { kind, object: object === '' ? null : object, amount: findAmount(measures, exposure) }
}

function foldVerdict(
  kind: EntryKind,
  payload: EntryPayload,
  at: number,
  action: FoldedAction,
): FoldedVerdict | null {
  const reason = payload.reason_code ?? payload.request?.reason_code ?? null
  const outcome = findOutcome(kind, payload)
  if (outcome === null) return null
  const now = parseInstant(payload.facts?.now ?? '')
  const took_ms = now === undefined || outcome === 'ended' ? null : Math.max(0, at - now)
  const step = payload.intent?.step_id ?? null
  return { outcome, reason: outcome === 'accepted' ? null : reason, ...action, took_ms, step }
}

/** A dispatch of what was accepted before, or of what takes an effect back, is no verdict on a proposal. */
function findOutcome(kind: EntryKind, payload: EntryPayload): Outcome | null {
  const { received = '', trace = [], intent, reason_code, request } = payload
  switch (kind) {
    case 'accepted':
    case 'dispatch':
      return received !== '' && trace.length > 0 && intent?.compensation === undefined
        ? 'accepted'
        : null
    case 'rejection':
      if (reason_code === undefined) return null
      return received === '' ? 'ended' : 'rejected'
    case 'pending_approval':
      return request === undefined ? null : 'escalated'
    case 'settle':
      return reason_code === undefined ? null : 'ended'
    default:
      return null
  }
}

function foldRequest({ request }: EntryPayload, action: FoldedAction): FoldedRequest | null {
  if (request === undefined) return null
  return { id: request.id, object: action.object, amount: action.amount }
}

/** Of an entry that belongs to no flow: the agent that a decree, or a monitor, speaks of. */
function findNamedAgent(kind: EntryKind, { body, details }: EntryPayload): string | null {
  const revoked = body?.target === 'contract' ? body.id?.split('@')[0] : undefined
  const named = body?.contract?.agent_id ?? body?.agent_id ?? revoked
  const key = kind === 'key' && body?.purpose === 'agent' ? body.subject : undefined
  return named ?? key ?? toText(details?.agent_id) ?? null
}

function listTexts(
  kind: EntryKind,
  payload: EntryPayload,
  proposal: JsonObject | null,
): readonly string[] {
  // Of a flow that was erased its name is left, and nothing else.
  if (kind === 'erasure') return []
  const { reason_code, domain_code, request, observations, flow, body, narrative } = payload
  const codes = [reason_code, domain_code, request?.reason_code, request?.domain_code]
  const said = [toText(proposal?.policy_kind), flow?.trigger, flow?.agent_id, narrative]
  const people = [toText(body?.justification), toText(body?.reason), body?.approver, body?.by]
  const named = kind === 'lifecycle' || kind === 'contract' || kind === 'revocation'
  const subject = named ? [body?.agent_id, body?.contract?.agent_id, body?.id] : []
  return [
    ...[...said, ...codes, ...people, ...subject].filter((text) => text !== undefined),
    ...collectTexts(proposal?.params),
    ...collectTexts(proposal?.justification),
    ...collectTexts(observations),
  ]
}

function toText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
