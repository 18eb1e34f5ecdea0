/** What an engine does by itself. */
export const BACKGROUND_JOBS = [
  'recover',
  'carry_out',
  'sagas',
  'writs',
  'reconcile',
  'layers',
  'beside',
  'monitors',
  'checkpoint',
  'scrub',
  'index',
  'timers',
  'escalations',
  'arbitration',
  'instances',
  'silence',
  'expiry',
  'bus',
] as const

export type BackgroundJob = (typeof BACKGROUND_JOBS)[number]
