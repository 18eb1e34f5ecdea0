/**
 * Kinds with a meaning of their own. They are proposals like any other; their hands are the
 * engine's, and they change nothing outside.
 */
export const RESERVED_KINDS: readonly string[] = [
  'SPAWN_CHILD',
  'SPAWN_INSTANCE',
  'RESOLVE_ESCALATION',
  'COMPENSATE',
  'ESCALATE',
  'RETIRE',
  'HALT',
]

/** Whoever has a contract may ask for a person, and may stop: nobody has to grant it. */
const UNLISTED: readonly string[] = ['ESCALATE', 'RETIRE']

/** What an agent in maintenance may still do: put it right, ask for a person, or stop. */
const IN_MAINTENANCE: readonly string[] = ['COMPENSATE', ...UNLISTED]

/** What they do is done for `main` too: an instance acts everywhere, and what an agent below asked may be an effect. */
const FOR_ALL_TRAJECTORIES: readonly string[] = ['SPAWN_INSTANCE', 'RESOLVE_ESCALATION']

export function isForAllTrajectories(kind: string): boolean {
  return FOR_ALL_TRAJECTORIES.includes(kind)
}

/** What can stand only in a flow that an event opened. */
export function isAboutEvent(kind: string): boolean {
  return kind === 'HALT'
}

export function isReserved(kind: string): boolean {
  return RESERVED_KINDS.includes(kind)
}

export function isListingNeeded(kind: string): boolean {
  return !UNLISTED.includes(kind)
}

export function isAllowedInMaintenance(kind: string): boolean {
  return IN_MAINTENANCE.includes(kind)
}
