/** The orders in which requests that wait are listed, and the place of one in any of them. */
import type { EscalationRequest } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import {
  ESCALATION_STATES,
  loadEscalation,
  type StoredEscalation,
} from '../rows/stored-escalation.ts'
import { compareStakes, hasAmount } from './stakes.ts'

/** Of what waits: what ends first or last, what was asked first or last, the smallest or the largest stake. */
export const INBOX_SORTS = [
  'expires',
  '-expires',
  'requested',
  '-requested',
  'amount',
  '-amount',
] as const
export type InboxSort = (typeof INBOX_SORTS)[number]

type Placed = Pick<StoredEscalation, 'key'> & {
  readonly body: {
    readonly request: Pick<EscalationRequest, 'expires_at' | 'requested_at' | 'impact' | 'exposure'>
  }
}
type Order = (a: Placed, b: Placed) => number

const ORDERS: Readonly<Record<'expires' | 'requested' | 'amount', Order>> = {
  expires: (a, b) => compareText(a.body.request.expires_at, b.body.request.expires_at),
  requested: (a, b) => compareText(a.body.request.requested_at, b.body.request.requested_at),
  amount: (a, b) => compareStakes(a.body.request, b.body.request),
}

/** Of what is alike in it, what ends first, whichever way; then by name, so that every place is one. */
export function createInboxOrder(sort: InboxSort): Order {
  const isDown = sort.startsWith('-')
  const first = sort.includes('amount')
    ? 'amount'
    : sort.includes('expires')
      ? 'expires'
      : 'requested'
  // Nobody knows that what has no amount is little: it comes last either way.
  const rankUnknown = ({ body: { request } }: Placed): number => (hasAmount(request) ? 0 : 1)
  const isSmallFirst = first === 'amount' && !isDown
  return (a, b) =>
    (isSmallFirst && a.body.request.impact === b.body.request.impact
      ? rankUnknown(a) - rankUnknown(b)
      : 0) ||
    (isDown ? ORDERS[first](b, a) : ORDERS[first](a, b)) ||
    ORDERS.expires(a, b) ||
    compareText(a.key, b.key)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A cursor: when it ends, and its id. */
export function toInboxPlace({ key, body }: StoredEscalation): string {
  return `${body.request.expires_at}_${key}`
}

/** What is left of one that was erased is when it would have ended. */
export async function loadInboxPlace(context: Context, cursor: string): Promise<Placed> {
  const at = cursor.indexOf('_')
  const [expires_at, key] = [cursor.slice(0, Math.max(0, at)), cursor.slice(at + 1)]
  for (const state of ESCALATION_STATES) {
    const stored = await loadEscalation(context, state, key)
    if (stored !== null) return stored
  }
  return {
    key,
    body: { request: { expires_at, requested_at: '', impact: 'LOW_IMPACT', exposure: null } },
  }
}
