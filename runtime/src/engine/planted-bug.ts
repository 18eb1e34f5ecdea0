/**
 * A mistake to make on purpose, so that the simulator can show that it would be noticed. Read once;
 * the command line refuses to start with it, and nothing but `sim planted` sets it.
 */
export const PLANTED_BUGS = [
  'effect_before_dispatch',
  'unsafe_sent_again',
  'resend_without_authority',
  'budget_not_taken',
  'recovery_sends_again',
  'locks_not_taken',
  'drift_not_checked',
  'expired_hold_dispatches',
  'fenced_engine_dispatches',
  'approval_never_ends',
  'modification_ignored',
  'one_approval_is_enough',
  'undone_in_order',
  'undone_twice',
  'dirty_agent_goes_on',
  'trip_stops_nobody',
] as const

export type PlantedBug = (typeof PLANTED_BUGS)[number]

export const plantedBug: string | null = process.env.RUBICON_PLANTED_BUG ?? null

export function isPlanted(bug: PlantedBug): boolean {
  return plantedBug === bug
}
