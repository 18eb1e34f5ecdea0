/** A registered public key. Positions are seqs of the tenant's authority trajectory. */
export type KeyPurpose =
  | 'operator'
  | 'issuer'
  | 'agent'
  | 'approver'
  | 'kernel'
  | 'checkpoint'
  | 'witness'

export const KEY_PURPOSES: readonly KeyPurpose[] = [
  'operator',
  'issuer',
  'agent',
  'approver',
  'kernel',
  'checkpoint',
  'witness',
]

/** A registered key. */
export type KeyRecord = {
  /** Its name, derived from the public key. */
  readonly key_id: string
  /** What it is for. */
  readonly purpose: KeyPurpose
  /** Base64 of the 32 raw bytes. */
  readonly public_key: string
  /** Whose it is. */
  readonly subject: string
  /** The authority entry that registered it. */
  readonly added_seq: number
  /** The one that ended it. */
  readonly retired_seq?: number
  /** From which authority entry on its signatures do not count. */
  readonly compromised_since_seq?: number
}

/** A detached Ed25519 signature over the DSSE encoding of exact bytes. */
export type Signature = {
  /** The key that signed. */
  readonly key_id: string
  /** Base64. */
  readonly sig: string
}

/** A document and who vouches for it. The signature covers the canonical bytes of `body`. */
export type Signed<T> = { readonly body: T; readonly signature: Signature }

/**
 * What a key is worth. `purpose` and `subject` come from the registry as of the position, null where
 * it has none that counts.
 */
export type KeyFact = {
  readonly key_id: string
  readonly purpose: KeyPurpose | null
  readonly subject: string | null
}

/** What the engine found when it checked a signature; to the kernel a signature is a fact. */
export type SignatureFact = KeyFact & { readonly valid: boolean }

/** Whoever holds the key speaks for the agent. */
export function isKeyOfAgent({ purpose, subject }: KeyFact, agent: string): boolean {
  return purpose === 'agent' && subject === agent
}
