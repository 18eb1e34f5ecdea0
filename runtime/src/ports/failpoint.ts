/**
 * Named places where the simulator and the kill test may stop, fail or delay the engine. In
 * production nothing is armed and `reach` returns at once.
 */
export const FAILPOINTS = [
  'propose.before_load',
  'propose.after_compile',
  'dispatch.before_commit',
  'dispatch.after_commit',
  'effect.before_send',
  'effect.after_send',
  'settle.before_commit',
  'settle.after_commit',
  'recover.before_settle',
  'reconcile.before_probe',
  'reconcile.after_probe',
  'resend.before_commit',
  'resend.after_commit',
  'authority.before_commit',
  'authority.after_commit',
  'checkpoint.before_sign',
  'checkpoint.before_save',
  'checkpoint.after_save',
  'open.before_commit',
  'open.after_commit',
  'compensate.before_choice',
  'compensate.after_choice',
  'compensate.before_dispatch',
  'compensate.after_dispatch',
  'compensate.before_finish',
  'compensate.after_finish',
  'escalate.before_commit',
  'escalate.after_commit',
  'decide.before_commit',
  'decide.after_commit',
  'release.before_commit',
  'arbitrate.after_bidding',
  'arbitrate.before_judging',
  'arbitrate.after_bid',
  'arbitrate.before_closing',
  'notice.before_send',
  'notice.after_send',
  'guard.before_flag',
  'audit.before_commit',
  'audit.after_commit',
  'monitor.before_trip',
  'monitor.after_trip',
  'generate.before_commit',
  'generate.after_commit',
  'generate.before_settle',
  'generate.after_settle',
] as const

export type Failpoint = (typeof FAILPOINTS)[number]

export interface Failpoints {
  reach(point: Failpoint): Promise<void> | void
}
