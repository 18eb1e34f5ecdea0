import type { StateFact } from 'rubicon-kernel'

/** Reads what the outside says, just before a decision. A path that it does not know is left out. */
export interface StateSource {
  read(paths: readonly string[]): Promise<readonly StateFact[]>
}
