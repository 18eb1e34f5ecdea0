import { NotApplied } from 'rubicon-runtime/ports'
import type { Upstream } from './upstream.ts'

/** Nothing was sent, and the same call may succeed later. */
export function toAbsent(server: Upstream, cause: unknown): NotApplied {
  const details = { code: 'SERVER_ABSENT' }
  return new NotApplied(server.describe(cause), { transient: true, details })
}
