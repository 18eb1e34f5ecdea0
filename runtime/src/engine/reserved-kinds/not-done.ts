import type { Failure } from 'rubicon-kernel'
import { NotApplied } from '../../ports/capability.ts'

/** What the engine refuses to do for an agent was not done; the details say why. */
export function toNotApplied({ code, summary, why }: Failure): NotApplied {
  const transient = code === 'STORE_CONTENTION' || code === 'REGISTRY_UNAVAILABLE'
  const details = { code, ...(why === undefined ? {} : { why }) }
  return new NotApplied(summary, { transient, details })
}
