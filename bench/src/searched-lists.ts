/** What a visitor of the console can ask for that only the search index answers: by words that are rare and everywhere, in orders that no index has. */
import { formatInstant } from 'rubicon-kernel'
import { AGENTS } from './fill-cast.ts'

const [AGENT = ''] = AGENTS
const DAY_MS = 86_400_000

/** `now`: the flows of a filled store lie in the thirty days before. */
export function buildSearchedLists(now: number): Readonly<Record<string, readonly string[]>> {
  const [month, fortnight] = [30, 15].map((days) => `since=${formatInstant(now - days * DAY_MS)}`)
  return {
    '/v1/overview': ['range=1h', 'range=24h', 'range=7d', 'range=30d'],
    '/v1/agent-activity': ['', 'range=7d', 'range=30d'],
    '/v1/tenants': [''],
    '/v1/flows': [
      'counts=true',
      `counts=true&words=lost&reason=LIMIT_EXCEEDED&measure=refund_usd&amount_min=5001&${month}&sort=-amount`,
      'counts=true&words=a&sort=agent',
      'counts=true&words=a%20o&outcome=decided&state=CLOSED&sort=updated',
      `counts=true&words=1%202%203%204&outcome=accepted&${fortnight}&sort=attempts`,
      'counts=true&words=refund&sort=-reason',
      `counts=true&words=ticket%20charged%20twice&agent=${AGENT}&sort=-kind`,
      'counts=true&words=zzzz',
      'counts=true&kind=REFUND&outcome=escalated&sort=-reason',
      'counts=true&amount_min=0&state=CLOSED&sort=amount',
      'counts=true&amount_min=100&outcome=escalated&state=CLOSED&tag=ARCHIVED&sort=attempts',
    ],
    '/v1/executions': [
      'counts=true',
      `counts=true&words=o_1&kind=REFUND&amount_min=100&${month}&sort=agent`,
      `counts=true&words=a%20o&kind=REFUND&${month}`,
      'counts=true&words=refund&status=SUCCESS&sort=status',
      'counts=true&kind=REFUND&status=SUCCESS',
      `counts=true&amount_min=0&amount_max=100&status=SUCCESS&tag=DIRTY&${month}&sort=-status`,
    ],
    '/v1/escalations': [
      'counts=true&words=order&state=closed&sort=-amount',
      'counts=true&words=a%20o&tag=DIRTY&impact=HIGH_IMPACT&sort=expires',
    ],
    '/v1/ledger/entries': [
      'counts=true&sort=agent',
      'counts=true&sort=-reason',
      `counts=true&words=lost&kind=rejection&reason=LIMIT_EXCEEDED&${month}&sort=agent`,
      `counts=true&words=lost&outcome=rejected&amount_min=0&${month}&sort=-kind`,
      `counts=true&words=a%20o&outcome=decided&reason=LIMIT_EXCEEDED&amount_max=400&sort=agent`,
      `counts=true&amount_min=0&amount_max=400&reason=LIMIT_EXCEEDED&${month}&sort=agent`,
    ],
  }
}
