import { type Address, findWidening, type WritBody } from 'rubicon-kernel'
import { createPackedMap, type Packing } from '../compact-records/packed-map.ts'
import { readOptional, writeOptional } from '../compact-records/packings.ts'

/** The writs seen so far, and which of them were revoked. */
export type Writs = {
  readonly add: (id: Address, body: WritBody) => void
  readonly get: (id: Address) => WritBody | undefined
  /** The writ of this flow was erased. */
  readonly erase: (dfid: string) => void
  /** Whether an id that is not known can be that of the flow's erased writ: a flow has one. */
  readonly isErasedWritOf: (dfid: string | undefined, id: Address) => boolean
  /** Whether how the flow was opened was erased. */
  readonly isErasedOf: (dfid: string) => boolean
  /** Whether an id was taken for that of an erased writ before. */
  readonly isErased: (id: Address) => boolean
}

/** What the writs of one agent have in common is kept once, as its text; what differs is in the record. */
export const BODIES: Packing<WritBody> = {
  write(record, body) {
    record.text(body.nonce)
    record.writeTime(body.window.not_before)
    record.writeTime(body.window.expires_at)
    writeOptional(record, body.parent ?? null, (id) => record.text(id))
    record.name(body.tenant)
    record.name(body.issuer_key)
    record.name(body.subject)
    writeOptional(record, body.subject_key ?? null, (key) => record.name(key))
    record.name(body.audience)
    for (const part of PARTS) record.name(formatPart(body[part]))
  },
  read(record) {
    const nonce = record.text()
    const window = { not_before: record.readTime(), expires_at: record.readTime() }
    const parent = readOptional(record, () => record.text() as Address)
    const names = { tenant: record.name(), issuer_key: record.name(), subject: record.name() }
    const subject_key = readOptional(record, () => record.name())
    const audience = record.name()
    const parts = PARTS.map((part) => [part, JSON.parse(record.name())] as const)
    return {
      ...names,
      audience,
      nonce,
      window,
      ...(parent === null ? {} : { parent }),
      ...(subject_key === null ? {} : { subject_key }),
      ...(Object.fromEntries(parts) as Pick<WritBody, (typeof PARTS)[number]>),
    }
  },
}

const PARTS = ['scopes', 'effect_ceiling', 'budget', 'delegation'] as const
/** Writs that are alike share their parts, which are never changed. */
const texts = new WeakMap<object, string>()

function formatPart(part: WritBody[(typeof PARTS)[number]]): string {
  const known = texts.get(part)
  if (known !== undefined) return known
  const text = JSON.stringify(part)
  texts.set(part, text)
  return text
}

export function createWrits(): Writs {
  const bodies = createPackedMap(BODIES)
  /** By flow; null until somebody names the writ. */
  const erased = new Map<string, Address | null>()
  const taken = new Set<Address>()
  return {
    add: (id, body) => void bodies.set(id, body),
    get: (id) => bodies.get(id),
    erase: (dfid) => void erased.set(dfid, null),
    isErasedWritOf(dfid, id) {
      const named = erased.get(dfid ?? '')
      if (named === null) {
        erased.set(dfid ?? '', id)
        taken.add(id)
      }
      return named === null || named === id
    },
    isErasedOf: (dfid) => erased.has(dfid),
    isErased: (id) => taken.has(id),
  }
}

/**
 * A chain has one writ for each level of delegation, of which there are fewer. A longer one is found where
 * writs are compared with their parents; whoever wrote it must not choose how often it is gone through.
 */
export const LONGEST_CHAIN = 16

/** The chain of a writ as far as it is known, leaf first. */
export function listWritChain(writs: Writs, leaf: Address | undefined): readonly WritBody[] {
  const chain: WritBody[] = []
  for (let link = leaf; link !== undefined && chain.length < LONGEST_CHAIN; ) {
    const body = writs.get(link)
    if (body === undefined) break
    chain.push(body)
    link = body.parent
  }
  return chain
}

/** Why this writ cannot stand, apart from its signature. `above`: the flow below which it was made. */
export function findWritProblem(
  body: WritBody,
  writs: Writs,
  tenant: string,
  above: string | undefined,
): string | undefined {
  if (body.tenant !== tenant) return 'the writ is for another tenant'
  if (body.parent === undefined) return undefined
  const parent = writs.get(body.parent)
  if (parent === undefined) {
    return writs.isErasedWritOf(above, body.parent)
      ? undefined
      : 'the parent writ is not in the ledger'
  }
  const wider = findWidening(body, { id: body.parent, body: parent })
  return wider.length === 0 ? undefined : `wider than its parent: ${wider.join(', ')}`
}
