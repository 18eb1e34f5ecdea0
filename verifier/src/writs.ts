import { type Address, type WritBody, widening } from 'rubicon-kernel'

/** The writs seen so far, and which of them were revoked. */
export type Writs = {
  readonly add: (id: Address, body: WritBody) => void
  readonly get: (id: Address) => WritBody | undefined
  /** Some writ payload was erased, so that one that is not known may have been there. */
  readonly mayBeErased: () => boolean
  readonly erase: () => void
}

export function createWrits(): Writs {
  const bodies = new Map<Address, WritBody>()
  let erased = false
  return {
    add: (id, body) => void bodies.set(id, body),
    get: (id) => bodies.get(id),
    mayBeErased: () => erased,
    erase: () => {
      erased = true
    },
  }
}

/** Why this writ cannot stand, apart from its signature. */
export function writProblem(body: WritBody, writs: Writs, tenant: string): string | undefined {
  if (body.tenant !== tenant) return 'the writ is for another tenant'
  if (body.parent === undefined) return undefined
  const parent = writs.get(body.parent)
  if (parent === undefined) {
    return writs.mayBeErased() ? undefined : 'the parent writ is not in the ledger'
  }
  const wider = widening(body, { id: body.parent, body: parent })
  return wider.length === 0 ? undefined : `wider than its parent: ${wider.join(', ')}`
}
