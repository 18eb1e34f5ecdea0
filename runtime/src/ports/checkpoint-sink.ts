/**
 * Keeps signed checkpoints outside the database, so that a restored or cut database is noticed.
 * Writing is durable when it resolves, and a checkpoint is never replaced by a smaller one.
 */
export interface CheckpointSink {
  readonly place: string
  latest(origin: string): Promise<string | null>
  /** Any origin of this log, newest epoch first. */
  latestOf(logPrefix: string): Promise<string | null>
  save(origin: string, note: string): Promise<void>
}
