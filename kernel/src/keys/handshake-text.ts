import { toCanonicalText } from '../canonical/write-json.ts'
import { POLICY_SCHEMA_VERSION } from '../proposal/schema-version.ts'
import type { Topology } from '../topology/topology.ts'

/** Where a handshake counts. */
export type HandshakePlace = {
  /** Whose ledger. */
  readonly tenant: string
  /** What the runtime is called; a handshake for another one is refused. */
  readonly audience: string
}

/** What an agent says when it connects. */
export type HandshakeTerms = {
  /** Who it is. */
  readonly agent: string
  /** The policy schema that the agent speaks; ours when it does not say. */
  readonly schema_version?: string
  /** Sessions that are bound to the same key end; without a key, those without one. */
  readonly end_others?: boolean
  /** Those that the agent can serve beside plain flows. They grant nothing. */
  readonly topologies?: readonly Topology[]
}

export type HandshakeMoment = {
  readonly key_id: string
  readonly signed_at: string
  /** 16 to 64 of A-Z a-z 0-9 _ -, never used before by this agent. */
  readonly nonce: string
}

/** What an agent signs to bind a session to its key: for this tenant, this service, this minute, and once. */
export function formatHandshake(
  { tenant, audience }: HandshakePlace,
  { agent, schema_version = POLICY_SCHEMA_VERSION, end_others = false, topologies }: HandshakeTerms,
  { key_id, signed_at, nonce }: HandshakeMoment,
): string {
  // Where nothing is said of them the text is the one that was signed before there were any.
  const served = topologies === undefined ? {} : { topologies }
  const spoken = { agent, end_others, schema_version, ...served }
  return toCanonicalText({ ...spoken, audience, key_id, nonce, signed_at, tenant })
}
