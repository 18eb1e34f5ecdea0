/** What an entry can be found by, beside its place: its kind, its reason code, and whose it is. */
import { AUTHORITY, type EntryKind } from 'rubicon-kernel'
import type { LeafEntry, Store, StoredEntry } from '../../../ports/store.ts'
import { FlowAgents } from './flow-agents.ts'

export type EntryFacts = {
  readonly kind: EntryKind
  readonly trajectory: string
  /** Why something was refused, put before a person, or ended as it did. */
  readonly code: string | null
  readonly agent_id: string | null
}

export type FoundEntry = { readonly entry: LeafEntry; readonly facts: EntryFacts }

export type FactsReader = (entry: StoredEntry) => Promise<EntryFacts>

/** Reads the facts of entries. One may be kept: what it remembers is bounded. */
export function createFactsReader(store: Pick<Store, 'readFlow'>): FactsReader {
  const agents = new FlowAgents(store)
  return async (entry) => {
    const { kind, trajectory, dfid } = entry.envelope
    const agent_id = dfid === undefined ? parseNamedAgent(entry) : await agents.findAgent(dfid)
    return { kind, trajectory, code: parseEntryCode(entry), agent_id }
  }
}

/** Payloads can be long, and most kinds have no code. */
const CODED: readonly EntryKind[] = ['rejection', 'pending_approval', 'settle', 'evidence']

export function parseEntryCode({ envelope, payload }: StoredEntry): string | null {
  if (payload === null || !CODED.includes(envelope.kind)) return null
  const { reason_code, request } = parsePayload(payload)
  return reason_code ?? request?.reason_code ?? null
}

/** Of an entry that belongs to no flow: the agent that a decree, or a monitor, speaks of. */
export function parseNamedAgent({ envelope, payload }: StoredEntry): string | null {
  const speaks = envelope.trajectory === AUTHORITY || envelope.kind === 'evidence'
  if (payload === null || !speaks) return null
  const { body, details } = parsePayload(payload)
  const revoked = body?.target === 'contract' ? body.id?.split('@')[0] : undefined
  return body?.contract?.agent_id ?? body?.agent_id ?? revoked ?? details?.agent_id ?? null
}

/** As far as one of the kinds has these members. */
type Payload = {
  readonly reason_code?: string
  readonly request?: { readonly reason_code?: string }
  readonly details?: { readonly agent_id?: string }
  readonly body?: {
    readonly agent_id?: string
    readonly contract?: { readonly agent_id?: string }
    readonly target?: string
    readonly id?: string
  }
}

/** Our own store's payloads are canonical JSON, and of the shape of their kind. */
function parsePayload(payload: string): Payload {
  return JSON.parse(payload) as Payload
}
