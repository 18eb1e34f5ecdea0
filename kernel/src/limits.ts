/** Every limit of the kernel and the engine. A thing without a limit is a way in. */
export const LIMITS = {
  /** Strict JSON at every boundary. */
  json: { depth: 64, bytes: 262_144, keys: 4_096 },
  /** Identifiers: `[A-Za-z0-9._:@-]{1,128}`. */
  identifierLength: 128,
  /** Free text of an agent: kept verbatim, shown escaped, never read by a gate. */
  justificationLength: 16_384,
  /** How far ahead `valid_until` may lie: an agent that may ask for any time has no deadline. */
  deadlineHorizonMs: 86_400_000,
  /** How long an accepted intent may wait for its dispatch. */
  dispatchWithinMs: 30_000,
  /** How old a snapshot may be when the contract does not say. */
  contextAgeMs: 900_000,
  /** The third final rejection ends the flow when the contract does not say. */
  intentRetries: 3,
  /** Transient refusals (contention, drift, overload) have their own, wider limit. */
  transientRetries: 10,
  /** Writ chains: a child, its parent, and so on up to the issuer. */
  delegationDepth: 8,
  writScopes: 256,
  contractLimits: 256,
  policies: 256,
  deltaOps: 256,
  resourceIdLength: 256,
  resourcesPerProposal: 64,
  /** A flow's own writ lives this long. */
  flowWritMs: 86_400_000,
  /** An escalation that nobody answers aborts its flow. */
  escalationMs: 3_600_000,
  /** Outcomes. */
  probeAttempts: 5,
  resendAttempts: 5,
  backoffBaseMs: 200,
  backoffMaxMs: 30_000,
  /** Resending under a key stops this long before the provider forgets the key. */
  idempotencyMarginMs: 60_000,
  resultBytes: 262_144,
  /** The engine's queue: beyond it the answer is OVERLOADED, before anything is stored. */
  proposalsInFlight: 1_024,
  /** How often a unit of work is built again after a failed guard. */
  unitAttempts: 100,
  /** How long `propose` waits for the effect before it answers PENDING. */
  waitMs: 10_000,
  /** Ledger. */
  checkpointEveryEntries: 1_000,
  checkpointEveryMs: 10_000,
  entriesPerPage: 1_000,
} as const
