/** How artifacts are set up in a runtime. */
import type { Desk } from 'rubicon-artifacts/desk'
import type { Disk } from 'rubicon-artifacts/files'
import type { BlobStore } from 'rubicon-artifacts/store'
import type { JsonObject, StrategyTree } from 'rubicon-kernel'

/** The folder of contents in the state directory, when nobody says. */
export const BLOBS = 'artifacts'

/** Artifacts that agents plan and apply changes of; see `docs/spec/artifacts.md`. */
export type RuntimeArtifacts = {
  /** Where texts, plans and changes are kept: a folder, or a store of blobs. In the state directory when nobody says. */
  readonly blobs?: string | BlobStore
  /** The folder whose files they are, on `main`. Without it they are in the blobs alone, and nothing can be adopted. */
  readonly files?: string
  /** In place of that of this machine, for what changes files: a simulator ends processes between two calls. */
  readonly disk?: Disk
  /** In place of the one that works in a process of its own. Whoever gives it closes it. */
  readonly desk?: Desk
  /** How several may work on one artifact; one writer a symbol when nobody says. */
  readonly strategy?: StrategyTree
  /** Of config artifacts, by name: JSON Schema 2020-12 that every change leaves them with. */
  readonly schemas?: Readonly<Record<string, JsonObject>>
  /** How long a plan claims what it names, in milliseconds; 15 minutes when nobody says. */
  readonly planMs?: number
  /** What kind of secret a text holds, in words; null: none. Besides those that are known by their form. */
  readonly findSecret?: (text: string) => string | null
}
