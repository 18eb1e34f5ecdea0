/**
 * What a model may write for an agent: the parameters that its contract, its writs and the schemas of its capabilities
 * leave, as one JSON Schema.
 *
 * G1 Whatever fits the schema passes what the law asks of arguments, resources and limits, on the facts that the grammar
 *    was built on, except where `unbounded` names the place. A grammar grants nothing: every proposal is judged.
 * G2 The same contract, writs, capabilities and facts give the same grammar and the same hash.
 */
import { type Address, computeAddress } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'

/** A place that the schema does not bound as the law does: compile decides. */
export type UnboundedPlace = {
  /** The kind of which it is a parameter. */
  readonly policy_kind: string
  /** A JSON pointer into the parameters; empty: none of them alone. */
  readonly param: string
  /** A limit by its id, a resource set, or a keyword of the schema. */
  readonly rule: string
  /** Why it is not in the grammar. */
  readonly why: 'schema' | 'set' | 'limit' | 'measure' | 'fact' | 'writ'
}

/** A kind of which nothing would pass. */
export type ImpossibleKind = {
  /** The kind. */
  readonly policy_kind: string
  /** A JSON pointer into the parameters; empty: none of them alone. */
  readonly param: string
  /** What rules it out. */
  readonly rule: string
}

/** A grammar as it is hashed. */
export type GrammarBody = {
  /** Kinds that the schema has, in the order in which they were asked for. */
  readonly kinds: readonly string[]
  /** JSON Schema 2020-12 of `{"proposal": {"policy_kind", "params"}}`. */
  readonly schema: JsonObject
  /** Where compile decides alone. */
  readonly unbounded: readonly UnboundedPlace[]
  /** Kinds that were asked for and are not in the schema. */
  readonly impossible: readonly ImpossibleKind[]
}

/** What a model may write for an agent. */
export type Grammar = GrammarBody & {
  /** Address of everything else. */
  readonly hash: Address
}

export function hashGrammar(
  { kinds, schema, unbounded, impossible }: GrammarBody,
  sha256: Sha256,
): Address {
  return computeAddress('grammar', { kinds, schema, unbounded, impossible }, sha256)
}
