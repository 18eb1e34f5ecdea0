/** Why an instance of an agent is there, and what ends it. */

/** An instance that an agent spawned lives until a flow of the agent has ended, or until a time. */
export type InstanceUntil =
  | {
      /** With this flow. */
      readonly flow: string
    }
  | {
      /** At this time. */
      readonly at: string
    }

export type Occasion = {
  readonly spawner: string
  readonly until: InstanceUntil
  /** At the latest. */
  readonly ends_at: string
}
