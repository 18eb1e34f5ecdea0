/** What one check of claims takes, so that its time is bounded. */
export const COMPOSITION_LIMITS = {
  /** Claim sets of one check, and all that they claim together. */
  sets: 4_096,
  claims: 262_144,
  /** Segments of one path. */
  segments: 32,
  /** Strategies of containers. */
  nested: 256,
  /** What is reported at most: whoever repairs these asks again. */
  problems: 256,
} as const
