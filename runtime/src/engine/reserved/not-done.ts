import type { Failure } from 'rubicon-kernel'
import { NotApplied } from '../../ports/capability.ts'

/** What the engine refuses to do for an agent was not done; the details say why. */
export function notDone({ code, summary }: Failure): NotApplied {
  const transient = code === 'STORE_CONTENTION' || code === 'REGISTRY_UNAVAILABLE'
  return new NotApplied(summary, { transient, details: { code } })
}
