/**
 * The ledger since a moment, in the order of the tree: what was reserved and what came back of it.
 *
 * N1 every envelope is held against its id and its place: a column says which kind an entry is, and when.
 */
import {
  type AcceptedPayload,
  type CommitPayload,
  type DelegationPayload,
  type EntryKind,
  LIMITS,
  parseInstant,
  type SettlePayload,
  type SignedIntent,
  type Writ,
  type WritPayload,
} from 'rubicon-kernel'
import type { LeafEntry } from '../../../ports/store.ts'
import type { Deps } from '../../deps.ts'
import { TreeCheck } from '../../rows/tree-check.ts'

type Needed = Pick<Deps, 'store' | 'sha256'>
type Amounts = CommitPayload['cost']

/** What an entry says of budgets. */
export type Taking =
  | { readonly kind: 'reserved'; readonly intent: SignedIntent }
  /** Of what the intent reserved only this stays. */
  | { readonly kind: 'ended'; readonly intent_id: string; readonly spent: Amounts }
  | { readonly kind: 'issued'; readonly writ: Writ }
  | { readonly kind: 'returned'; readonly delegation: DelegationPayload; readonly amounts: Amounts }

const READ: readonly EntryKind[] = [
  'accepted',
  'dispatch',
  'commit',
  'settle',
  'writ',
  'delegation',
]

/** Trajectories run beside each other: in the tree an entry may stand behind one that is a little later. */
export const BESIDE_MS = 3_600_000

/** Those since that moment, and perhaps some before it. */
export async function* iterateTakings(deps: Needed, from: number): AsyncGenerator<Taking> {
  const { store, sha256 } = deps
  const size = await store.countLeaves()
  const check = new TreeCheck(store, sha256)
  for (let first = await findFirstLeafSince(deps, from - BESIDE_MS, size); first < size; ) {
    const page = await store.listLeaves(first, LIMITS.entriesPerPage)
    await check.check(page.filter(isRead))
    await check.checkEnvelopes(page.filter((entry) => !isRead(entry)))
    for (const entry of page) {
      const taking = parseTaking(entry)
      if (taking !== null) yield taking
    }
    first += Math.max(page.length, 1)
  }
}

/** Times rise with the leaves, but for what stands beside each other. */
async function findFirstLeafSince(
  { store, sha256 }: Needed,
  from: number,
  size: number,
): Promise<number> {
  const check = new TreeCheck(store, sha256)
  let [low, high] = [0, size]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const page = await store.listLeafEnvelopes(middle, 1)
    await check.checkEnvelopes(page)
    const at = parseInstant(page[0]?.envelope.at ?? '') ?? 0
    if (at < from) low = middle + 1
    else high = middle
  }
  return low
}

function isRead({ envelope }: LeafEntry): boolean {
  return READ.includes(envelope.kind)
}

function parseTaking(entry: LeafEntry): Taking | null {
  const { payload } = entry
  if (payload === null || !isRead(entry)) return null
  switch (entry.envelope.kind) {
    case 'accepted':
    case 'dispatch': {
      // Where it first stands. Taking back costs nothing.
      const { intent } = JSON.parse(payload) as Partial<AcceptedPayload>
      const isCounted = intent !== undefined && intent.compensation === undefined
      return isCounted ? { kind: 'reserved', intent } : null
    }
    case 'commit': {
      const { intent_id, cost } = JSON.parse(payload) as CommitPayload
      return { kind: 'ended', intent_id, spent: cost }
    }
    case 'settle': {
      const { intent_id, status } = JSON.parse(payload) as SettlePayload
      // What was given up after it was sent stays taken; to say so of all is to ask for less.
      const isOver = status === 'FAILED' || status === 'ABANDONED'
      return isOver ? { kind: 'ended', intent_id, spent: {} } : null
    }
    case 'writ': {
      const { writ, flow } = JSON.parse(payload) as WritPayload
      return flow === undefined ? { kind: 'issued', writ } : null
    }
    default: {
      const delegation = JSON.parse(payload) as DelegationPayload
      const { returned } = delegation
      return returned === undefined ? null : { kind: 'returned', delegation, amounts: returned }
    }
  }
}
