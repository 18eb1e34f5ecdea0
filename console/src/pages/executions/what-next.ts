/** What the runtime will do about an effect, in one sentence. */
import type { ExecutionView } from 'rubicon-agents/client'

export function describeNext({
  status,
  next_at,
}: Pick<ExecutionView, 'status' | 'next_at'>): string {
  switch (status) {
    case 'ACCEPTED':
      return 'It is accepted, and its budget is reserved. An executor sends it after a final check.'
    case 'DISPATCHED':
      return 'It was sent. There is no answer yet.'
    case 'UNKNOWN':
      return next_at === null
        ? 'It is unknown whether it happened, and the runtime cannot find out. A person has to.'
        : 'It is unknown whether it happened. The runtime asks the provider; it sends nothing twice.'
    case 'NOT_APPLIED':
      return 'It is known not to have happened. It may be sent again, under the same key.'
    case 'MANUAL_REVIEW':
      return 'A person has to find out what happened. Nothing is sent until then.'
    case 'SUCCESS':
      return 'It happened, once. Nothing more is done.'
    case 'FAILED':
      return 'It did not happen. Nothing more is done.'
    case 'ABANDONED':
      return 'A person closed it without an outcome. Nothing more is done.'
  }
}
