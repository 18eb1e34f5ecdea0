/** A unit of work: what must still hold, what is then written, and how that ended. */
import type { Address, CommitPayload, Delta, EntryKind, Position, Writ } from 'rubicon-kernel'
import type { PutRecord, RecordKind, RecordRef } from './record.ts'
import type { ExecutionRow, FlowRow } from './store.ts'

/** `null` version: the resource must not exist. */
export type Guard =
  | { readonly kind: 'flow_absent'; readonly dfid: string }
  | { readonly kind: 'flow_version'; readonly dfid: string; readonly version: number }
  /** The flow has so many entries, all of them in this trajectory. */
  | {
      readonly kind: 'flow_entries'
      readonly dfid: string
      readonly trajectory: string
      readonly count: number
    }
  | { readonly kind: 'claim_absent'; readonly dfid: string; readonly step_id: string }
  | {
      readonly kind: 'execution_version'
      readonly dfid: string
      readonly step_id: string
      readonly version: number
    }
  /** Counter `id` plus `by` stays within `limit`; both in minor units. A missing counter is 0. */
  | { readonly kind: 'counter'; readonly id: string; readonly by: number; readonly limit: number }
  /** The authority trajectory still ends at `seq` (-1: it does not exist yet). */
  | { readonly kind: 'authority_seq'; readonly seq: number }
  /** The time that the store will write is earlier than this. */
  | { readonly kind: 'before'; readonly at: string }
  | {
      readonly kind: 'world_version'
      readonly trajectory: string
      readonly resource: { readonly kind: string; readonly id: string }
      readonly version: number | null
    }
  | { readonly kind: 'trajectory_absent'; readonly trajectory: string }
  /** This engine has not been declared dead by another. */
  | { readonly kind: 'engine_epoch'; readonly epoch: number }
  /** `null` version: there is no such record. */
  | (RecordRef & { readonly kind: 'record_version'; readonly version: number | null })
  /** The resource can be held in addition to all who hold it now (`lock` records of its name). */
  | {
      readonly kind: 'lock_free'
      readonly resource: string
      /** Decimal text. */
      readonly amount: string
      /** Decimal text; null: whoever holds it holds all of it. */
      readonly capacity: string | null
      /** Whose own hold does not count. */
      readonly holder: string
    }
  /** This holder holds the resource, and its time has not run out. */
  | { readonly kind: 'lock_held'; readonly resource: string; readonly holder: string }

export type Write =
  | {
      readonly kind: 'append'
      readonly trajectory: string
      readonly entry: Exclude<EntryKind, 'commit' | 'branch'>
      readonly dfid?: string
      readonly authority_seq?: number
      /** Canonical JSON text. */
      readonly payload: string
    }
  /** A commit: the store folds the delta, and completes the payload with inverse and world_after. */
  | {
      readonly kind: 'append_commit'
      readonly trajectory: string
      readonly dfid: string
      readonly delta: Delta
      readonly payload: Omit<CommitPayload, 'delta' | 'inverse' | 'world_after'>
    }
  /** Starts a trajectory from an entry of another, with its World as of that entry's head. */
  | {
      readonly kind: 'append_branch'
      readonly trajectory: string
      readonly source: Position
      readonly note: string
    }
  /**
   * Inserts, or moves on what is there: a row of a higher version is the same flow (or claim), of
   * which who, what for and on what authority never change. The stored version is the row's.
   */
  | { readonly kind: 'put_flow'; readonly flow: FlowRow }
  /**
   * `entry`: index, among this unit's writes, of the append whose position becomes `dispatched`.
   * `settles`: `settled_at` becomes the time of the unit, which its entries have too: a process may
   * have slept since it made the unit.
   */
  | {
      readonly kind: 'put_execution'
      readonly execution: ExecutionRow
      readonly entry?: number
      readonly settles?: boolean
    }
  | { readonly kind: 'put_writ'; readonly writ: Writ; readonly entry: number }
  /** An intent that ends before its dispatch gives its claim back. */
  | { readonly kind: 'drop_execution'; readonly dfid: string; readonly step_id: string }
  /**
   * Takes out what the entries and the rows of a flow say: every payload that may be erased, the trigger,
   * and of each step its intent, fingerprint, key, details, result and receipt. The `erasure` that an
   * operator signed is an append of the same unit, or nothing is erased.
   */
  | { readonly kind: 'erase_flow'; readonly dfid: string }
  /**
   * Takes the payloads of a flow out that lie in an archive now: all that may be erased, but those of commits, of
   * which the World is made. The `archive` record that says where they are is put by the same unit, or nothing
   * is taken out.
   */
  | { readonly kind: 'archive_flow'; readonly dfid: string }
  /** Puts them back. What fits no entry of the flow whose payload is missing goes nowhere, and the unit fails. */
  | {
      readonly kind: 'restore_flow'
      readonly dfid: string
      readonly payloads: readonly RestoredPayload[]
    }
  /** Adds to a counter (creating it at 0 first). Never below 0. */
  | { readonly kind: 'count'; readonly id: string; readonly by: number }
  /** Inserts or replaces; the store counts the version. */
  | { [K in RecordKind]: PutRecord<K> }[RecordKind]
  | (RecordRef & { readonly kind: 'drop_record' })

/** The payload of an entry, as the canonical text that its hash covers. */
export type RestoredPayload = Position & { readonly payload: string }

export type Unit = { readonly guards: readonly Guard[]; readonly writes: readonly Write[] }

export type AppendedEntry = {
  readonly trajectory: string
  readonly seq: number
  readonly id: Address
}

export type DeltaFailure = {
  readonly kind: 'delta'
  readonly code: 'DELTA_CONFLICT' | 'DELTA_INVALID'
  readonly detail: string
}

export type UnitOutcome =
  | { readonly ok: true; readonly at: string; readonly entries: readonly AppendedEntry[] }
  | { readonly ok: false; readonly failed: Guard | DeltaFailure }
