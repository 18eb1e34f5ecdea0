/** How large a grammar may be, and what bounds a value of which nobody says a bound. */
export const GRAMMAR_LIMITS = {
  /** Kinds that one grammar is for. */
  kinds: 32,
  /** Nodes of the tree that a schema comes to when its references are followed. */
  nodes: 2_048,
  /** How deep parameters lie in each other. */
  depth: 12,
  /** Values of one list. */
  values: 1_024,
  /** The schema, as canonical text, in characters. */
  schemaLength: 262_144,
  /** A text whose schema names no length. */
  textLength: 256,
  /** A list whose schema names no length. */
  items: 16,
  /** Digits before the point of a decimal that nothing else bounds. */
  wholeDigits: 15,
  /** Digits behind the point where neither the schema nor a limit says how many. */
  scale: 2,
  /** The most digits behind the point. */
  scaleMost: 8,
} as const
