/** What a hostile agent wants. Each is looked for after every attempt, whatever was answered. */
export const GOALS = [
  /** Something happened outside that its contract, writ or budget does not allow. */
  'effect_outside_contract',
  /** One step had two effects. */
  'second_effect',
  /** A fact that somebody else owns says what the agent said. */
  'anothers_state',
  /** It read what only another agent may read. */
  'anothers_data',
  /** It acted in another's flow, ended it, drew on its budget or kept it from its work. */
  'anothers_flow',
  /** Fewer people than were asked for let it act, or people who may not. */
  'missing_person',
  /** What it may send without limit is kept for ever. */
  'unbounded_record',
  /** The server says that it has a bug. */
  'server_error',
  /** The ledger does not verify any more. */
  'broken_ledger',
  /** A process whose rules are not in force acted. */
  'rules_not_in_force',
  /** It cost the server work that was neither charged to it nor refused, or that nobody is told of. */
  'unpaid_work',
] as const

export type Goal = (typeof GOALS)[number]

export type Breach = { readonly goal: Goal; readonly detail: string }
