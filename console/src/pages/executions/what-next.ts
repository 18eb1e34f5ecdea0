/** What the runtime will do about an effect, in one sentence. */
import type { ExecutionView } from 'rubicon-agents/client'

export function describeNext({
  status,
  next_at,
}: Pick<ExecutionView, 'status' | 'next_at'>): string {
  switch (status) {
    case 'ACCEPTED':
      return 'It is decided and reserved; an executor takes it up, after a last look at the world.'
    case 'DISPATCHED':
      return 'It was sent. The answer, or the lack of one, settles it.'
    case 'UNKNOWN':
      return next_at === null
        ? 'Nobody knows whether it happened, and the runtime cannot find out. A person has to.'
        : 'Nobody knows whether it happened. The runtime asks the provider; it sends nothing twice.'
    case 'NOT_APPLIED':
      return 'It is known not to have happened. It may be sent again, under the same key.'
    case 'MANUAL_REVIEW':
      return 'Only a person can find out what became of it. Nothing is sent until then.'
    case 'SUCCESS':
      return 'It happened, once. Nothing more is done.'
    case 'FAILED':
      return 'It did not happen. Nothing more is done.'
    case 'ABANDONED':
      return 'A person gave it up. Nothing more is done.'
  }
}
