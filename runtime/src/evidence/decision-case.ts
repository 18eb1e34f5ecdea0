/**
 * A recorded decision as a case: everything that compile was given, taken from the ledger alone, and
 * what was said. A case can be judged again, by the same law or by another.
 */
import {
  type Authority,
  type Contract,
  type DecisionRecord,
  err,
  type Facts,
  findPinnedContract,
  type JsonValue,
  ok,
  type RejectionPayload,
  type Result,
  type Writ,
  type WritFact,
  type WritPayload,
} from 'rubicon-kernel'
import type { Store, StoredEntry } from '../ports/store.ts'

export type CaseOutcome = {
  readonly outcome: 'ACCEPTED' | 'REJECTED' | 'ESCALATED'
  readonly code: string | null
}

export type CaseInput = {
  readonly facts: Facts
  /** The proposal as received. */
  readonly proposal: JsonValue
  readonly contract: Contract | null
  /** Leaf first. */
  readonly writs: readonly Writ[]
}

export type DecisionCase = CaseInput & { readonly recorded: CaseOutcome }

/** Null: the entry is not a decision. */
export function findRecordedOutcome({
  envelope: { kind },
  payload,
}: StoredEntry): CaseOutcome | null {
  if (payload === null) return null
  if (kind === 'accepted') return { outcome: 'ACCEPTED', code: null }
  if (kind === 'dispatch') {
    // What was accepted before, or sent before, was decided there.
    const isDecision = 'intent' in parseAs<object>(payload)
    return isDecision ? { outcome: 'ACCEPTED', code: null } : null
  }
  if (kind === 'pending_approval') {
    const { request } = parseAs<{ request: { reason_code: string; domain_code?: string } }>(payload)
    return { outcome: 'ESCALATED', code: request.domain_code ?? request.reason_code }
  }
  if (kind !== 'rejection') return null
  const { stage, domain_code, reason_code } = parseAs<RejectionPayload>(payload)
  // What was refused on the outside at dispatch had passed the law.
  if (stage === 'dispatch') return { outcome: 'ACCEPTED', code: null }
  return { outcome: 'REJECTED', code: domain_code ?? reason_code }
}

/** Reads cases out of entries. It remembers the writs that it has seen. */
export class CaseReader {
  readonly #store: Pick<Store, 'listFlowEntries' | 'readWrit'>
  readonly #authority: Pick<Authority, 'contracts'>
  readonly #writs = new Map<string, Writ>()

  constructor(
    store: Pick<Store, 'listFlowEntries' | 'readWrit'>,
    authority: Pick<Authority, 'contracts'>,
  ) {
    this.#store = store
    this.#authority = authority
  }

  /** Entries that are read anyway: what they say of writs need not be looked up. */
  see({ envelope: { kind }, payload }: StoredEntry): void {
    if (kind !== 'writ' || payload === null) return
    const { writ } = parseAs<WritPayload>(payload)
    this.#writs.set(writ.id, writ)
  }

  /** Null: the entry is no decision. Err: in words why it cannot be judged again. */
  async read(entry: StoredEntry): Promise<Result<DecisionCase, string> | null> {
    const recorded = findRecordedOutcome(entry)
    if (recorded === null || entry.payload === null) return null
    const { facts, proposal } = parseAs<DecisionRecord>(entry.payload)
    if (facts === undefined || proposal === undefined)
      return err('it was refused before it was compiled')
    const writs: Writ[] = []
    for (const fact of facts.writs) {
      const writ = await this.#readWrit(fact)
      if (writ === undefined) return err(`writ ${fact.id} is not in the ledger`)
      writs.push(writ)
    }
    const pinned =
      facts.contract === null
        ? undefined
        : findPinnedContract(this.#authority, facts.flow.agent_id, facts.contract.hash)
    return ok({ facts, proposal, contract: pinned?.contract ?? null, writs, recorded })
  }

  async #readWrit({ id, nonce }: WritFact): Promise<Writ | undefined> {
    const seen = this.#writs.get(id)
    if (seen !== undefined) return seen
    for (const entry of await this.#store.listFlowEntries(nonce)) this.see(entry)
    // One that was issued by hand stands in no flow.
    return this.#writs.get(id) ?? (await this.#store.readWrit(id))?.writ
  }
}

/** Entries in our own store are what we wrote there. */
function parseAs<T>(text: string): T {
  return JSON.parse(text) as T
}
