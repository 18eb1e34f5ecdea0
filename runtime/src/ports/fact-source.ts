/** A source of facts that this process speaks for: it is registered when the engine starts. */
import type { FactSource, StateFact } from 'rubicon-kernel'

/** What a source says when it is asked. Whose word that is, the registry says. */
export type SourceReading = Pick<StateFact, 'path' | 'value' | 'observed_at' | 'version'>

/** A source of facts that this process speaks for. */
export interface DeclaredSource
  extends Omit<FactSource, 'max_paths' | 'key'>,
    Partial<Pick<FactSource, 'max_paths'>> {
  /**
   * Asked with every decision, for paths that it owns. What it does not know it leaves out, and what
   * was observed in its name counts. One that throws leaves nothing to decide on.
   */
  read?(paths: readonly string[]): Promise<readonly SourceReading[]>
}
