/** What the hands work with, and how long a plan claims what it names. */
import type { Desk } from 'rubicon-artifacts/desk'
import type { FilesRoot } from 'rubicon-artifacts/files'
import type { JsonObject, SignedIntent, StrategyTree, WorldFact } from 'rubicon-kernel'
import type { Shelf } from './shelf.ts'

export type WorldRef = { readonly kind: string; readonly id: string }

export type Workshop = {
  readonly desk: Desk
  readonly shelf: Shelf
  /** Null: nothing is written to a disk, on `main` neither. */
  readonly files: FilesRoot | null
  /** World as it is; only what holds the lock of artifacts changes them meanwhile. */
  readonly readWorld: (
    trajectory: string,
    refs: readonly WorldRef[],
  ) => Promise<readonly WorldFact[]>
  /** Of the agent of an intent: what it may name, by kind and resource set. */
  readonly loadScope: (
    intent: SignedIntent,
  ) => Promise<(policyKind: string, set: string) => (value: string) => boolean>
  readonly planMs: number
  /** Null: one writer a symbol. */
  readonly strategy: StrategyTree | null
  /** Of config artifacts, by name. */
  readonly schemas: Readonly<Record<string, JsonObject>>
  readonly findSecret: (text: string) => string | null
}

/** The trajectory whose artifacts lie in files. */
export const FILED = 'main'
/**
 * What everybody holds who changes what World says of artifacts: a rename reaches artifacts that nobody named, so what is planned and
 * what is applied is held against all of them.
 */
export const LOCK = { id: 'artifacts', amount: '1' } as const
