/** What changed around an agent, as marks on the time line of a monitor. */
import {
  AUTHORITY,
  type ContractPayload,
  LIMITS,
  type LifecyclePayload,
  type PolicyPayload,
  type RevocationPayload,
} from 'rubicon-kernel'
import type { Store, StoredEntry } from '../../ports/store.ts'

export type Mark = {
  readonly kind:
    | 'contract'
    | 'revocation'
    | 'policy'
    | 'monitor'
    | 'suspended'
    | 'lifted'
    /** Another model answers the agent. */
    | 'model'
  readonly at: string
  /** Of the change of authority; null: it is none. */
  readonly seq: number | null
  /** Null: it has no place in the tree yet. */
  readonly leaf: number | null
  readonly label: string
}

export type Marked = {
  readonly agent: string
  /** The class of an instance changes it too. */
  readonly instanceOf: string | null
  readonly monitor: string
}

const ENTRIES_AT_ONCE = 200

/** Since `from`, the oldest first. Of a long past the newest part, by the number of entries. */
export async function readAuthorityMarks(
  store: Pick<Store, 'listEntries'>,
  head: number,
  marked: Marked,
  from: string,
): Promise<readonly Mark[]> {
  const marks: Mark[] = []
  for (let end = head + 1, looked = 0; end > 0 && looked < LIMITS.seriesEntries; ) {
    const start = Math.max(0, end - ENTRIES_AT_ONCE)
    const page = await store.listEntries(AUTHORITY, start, end - start)
    const since = page.filter(({ envelope }) => envelope.at >= from)
    marks.unshift(...since.flatMap((entry) => toMarks(entry, marked)))
    if (since.length < page.length || marks.length >= LIMITS.seriesMarks) break
    looked += page.length
    end = start
  }
  return marks.slice(-LIMITS.seriesMarks)
}

function toMarks(entry: StoredEntry, marked: Marked): readonly Mark[] {
  const { envelope, payload, leaf } = entry
  const said = payload === null ? null : describeMark(envelope.kind, payload, marked)
  return said === null ? [] : [{ ...said, at: envelope.at, seq: envelope.seq, leaf }]
}

type Said = Pick<Mark, 'kind' | 'label'>

function describeMark(kind: string, payload: string, marked: Marked): Said | null {
  switch (kind) {
    case 'contract':
      return describeContractMark(parseBody<ContractPayload>(payload), marked)
    case 'revocation':
      return describeRevocationMark(parseBody<RevocationPayload>(payload), marked)
    case 'policy':
      return describePolicyMark(parseBody<PolicyPayload>(payload), marked)
    case 'lifecycle':
      return describeMoveMark(parseBody<LifecyclePayload>(payload), marked)
    default:
      return null
  }
}

function describeContractMark(
  { contract }: ContractPayload['body'],
  { agent, instanceOf }: Marked,
): Said | null {
  const { agent_id, version } = contract
  if (agent_id !== agent && agent_id !== instanceOf) return null
  return { kind: 'contract', label: `contract ${agent_id} ${version}` }
}

/** Of one version, or of all of them. */
function describeRevocationMark(
  { target, id, reason }: RevocationPayload['body'],
  { agent, instanceOf }: Marked,
): Said | null {
  const names = [agent, instanceOf ?? agent]
  const isNamed = names.some((name) => id === name || id.startsWith(`${name}@`))
  return target === 'contract' && isNamed ? { kind: 'revocation', label: reason } : null
}

function describePolicyMark(body: PolicyPayload['body'], { monitor }: Marked): Said | null {
  if ('rules_hash' in body) return { kind: 'policy', label: `rules ${body.rules_hash}` }
  if (body.action === 'capability')
    return { kind: 'policy', label: `capability ${body.capability.kind}` }
  const name = body.action === 'unwatch' ? body.name : body.monitor.name
  const label = body.action === 'unwatch' ? 'monitor withdrawn' : 'monitor in force'
  return name === monitor ? { kind: 'monitor', label } : null
}

function describeMoveMark(
  { agent_id, from, to, justification }: LifecyclePayload['body'],
  { agent, instanceOf }: Marked,
): Said | null {
  if (agent_id !== agent && agent_id !== instanceOf) return null
  if (to === 'SUSPENDED') return { kind: 'suspended', label: justification }
  return from === 'SUSPENDED' ? { kind: 'lifted', label: justification } : null
}

/** Entries in our own store are what we wrote there. */
function parseBody<T extends { readonly body: unknown }>(payload: string): T['body'] {
  return (JSON.parse(payload) as T).body
}
