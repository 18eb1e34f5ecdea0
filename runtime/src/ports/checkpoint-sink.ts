/**
 * Keeps signed checkpoints outside the database, so that a restored or cut database is noticed.
 * Writing is durable when it resolves, and a checkpoint is never replaced by a smaller one.
 */
export interface CheckpointSink {
  readonly place: string
  latest(origin: string): Promise<string | null>
  /** Of the highest epoch of this log. */
  latestOf(logPrefix: string): Promise<KeptCheckpoint | null>
  save(origin: string, note: string): Promise<void>
}

export type KeptCheckpoint = {
  /** The one it was saved under: a note that cannot be read still shows that its epoch was used. */
  readonly epoch: number
  readonly note: string
}

/** Those that are kept of one log, by the origins under which they were saved. */
export function findHighestEpoch(origins: readonly string[], logPrefix: string): number | null {
  const epochs = origins
    .filter((origin) => origin.startsWith(`${logPrefix}/`))
    .map((origin) => origin.slice(logPrefix.length + 1))
    .filter((text) => String(Number(text)) === text && Number.isSafeInteger(Number(text)))
    .map(Number)
  return epochs.length === 0 ? null : Math.max(...epochs)
}
