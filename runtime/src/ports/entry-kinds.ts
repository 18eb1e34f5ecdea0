import type { EntryKind } from 'rubicon-kernel'

export type EntryKinds = readonly EntryKind[]

/** Where an entry stands. */
export type EntryPlace = { readonly trajectory: string; readonly seq: number }

/**
 * Which entries of a flow. `kinds`: the others are not read, however long they are. `last`: nor more than so many, the newest;
 * with `before`, of those that came before the entry there.
 */
export type FlowEntriesAsked = readonly [
  dfid: string,
  kinds?: EntryKinds | undefined,
  last?: number | undefined,
  before?: EntryPlace | undefined,
]
