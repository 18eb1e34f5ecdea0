/** The reserved kinds, as auditors know them: they change nothing outside, and exclude nobody. */
export const RESERVED: readonly string[] = [
  'SPAWN_CHILD',
  'SPAWN_INSTANCE',
  'RESOLVE_ESCALATION',
  'COMPENSATE',
  'ESCALATE',
  'RETIRE',
  'HALT',
]
