/**
 * A decision atom: what the kernel settled about a decision before an agent thinks it out. It names the flow and who
 * decides, the kinds that may be decided about, and everything that its answers stand on, so that whoever meets it
 * later can see whether they still hold. It is signed, lasts a minute, and is good for one dispatch.
 *
 * It says nothing that a later moment could change: see `COVERED_STAGES`.
 */
import type { Address } from '../canonical/address.ts'
import { computeAddress } from '../canonical/address.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { Signature } from '../keys/key.ts'
import type { Budget } from '../writ/writ.ts'

/** How long what an atom settled may be relied on. */
export const ATOM_LASTS_MS = 60_000

/**
 * The stages of which a part was settled when the atom was issued: that the chain of writs belongs together and is
 * signed, that contract and writs grant the kinds, that something can carry them out and may have such an effect. All of
 * it is a function of documents that the atom names and of the authority that it names by its number.
 *
 * Never covered: who speaks, every time, whether the agent, its contract and its writs still stand, the rules in force,
 * what is left of budgets, arguments, limits, locks, policies and the look at the outside before dispatch.
 */
export const COVERED_STAGES = ['signature', 'scope', 'capability'] as const

/** A stage of which a part is settled by an atom. */
export type CoveredStage = (typeof COVERED_STAGES)[number]

/** What an atom says. */
export type AtomBody = {
  /** The flow. */
  readonly dfid: string
  /** Who decides. */
  readonly agent_id: string
  /** So that two atoms of one moment are two. */
  readonly nonce: string
  /** What may be decided about. */
  readonly policy_kinds: readonly string[]
  /** Of the contract that the flow was opened under. */
  readonly contract_hash: Address
  /** Of what carries each kind out. */
  readonly capability_hashes: Readonly<Record<string, Address>>
  /** Of the flow's own writ. */
  readonly writ_id: Address
  /** Of the grammar of its kinds; null where none was made. */
  readonly grammar_hash: string | null
  /** What the agent is shown. */
  readonly snapshot_id: string
  /** Of mission and constraints. */
  readonly mission_context_hash: Address
  /** Of the rules that it was issued under. */
  readonly rules_hash: string
  /** Up to which entry of the authority trajectory was read. */
  readonly authority_seq: number
  /** What is held for it until it is used or ends. */
  readonly reserved_cost: Budget
  /** The stages of which a part was settled. */
  readonly covers: readonly CoveredStage[]
  /** When it was issued. */
  readonly issued_at: string
  /** Exclusive. */
  readonly expires_at: string
}

/** An atom with its address. */
export type Atom = AtomBody & {
  /** Of everything else. */
  readonly atom_id: Address
}

/** An atom as it is given out. */
export type SignedAtom = Atom & {
  /** Over everything else. */
  readonly kernel_signature: Signature
}

export function computeAtomId(body: AtomBody, sha256: Sha256): Address {
  return computeAddress('atom', body as JsonValue, sha256)
}

export function buildAtom(body: AtomBody, sha256: Sha256): Atom {
  return { ...body, atom_id: computeAtomId(body, sha256) }
}

/** What its address covers. */
export function toAtomBody({ atom_id, ...body }: Atom): AtomBody {
  return body
}

/** What the kernel signs. */
export function toUnsignedAtom({ kernel_signature, ...atom }: SignedAtom): Atom {
  return atom
}
