/**
 * The retry governor. An agent that argues with the kernel burns money and finds loopholes, so the
 * third final rejection ends its flow. Transient refusals are not its fault and have a wider limit.
 */

import { LIMITS } from '../limits.ts'
import type { ReasonCode } from '../reason.ts'
import { REASONS } from '../reason.ts'

export type Rejections = {
  readonly rejections: number
  readonly transient_rejections: number
}

export type Governed = Rejections & {
  /** Set when this rejection ends the flow. */
  readonly ended: 'REASONING_EXHAUSTION' | 'CONTENTION_EXHAUSTION' | null
}

export function govern(
  before: Rejections,
  code: ReasonCode,
  maxRetries: number = LIMITS.intentRetries,
): Governed {
  if (REASONS[code].transient) {
    const transient_rejections = before.transient_rejections + 1
    const ended = transient_rejections >= LIMITS.transientRetries ? 'CONTENTION_EXHAUSTION' : null
    return { rejections: before.rejections, transient_rejections, ended }
  }
  const rejections = before.rejections + 1
  const ended = rejections >= maxRetries ? 'REASONING_EXHAUSTION' : null
  return { rejections, transient_rejections: before.transient_rejections, ended }
}
