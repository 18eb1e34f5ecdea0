import type { EntryKind } from 'rubicon-kernel'

export type EntryKinds = readonly EntryKind[]
