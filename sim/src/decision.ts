/** Decisions as somebody makes them who has read the request. */
import type {
  DecisionWord,
  EscalationDecision,
  EscalationRequest,
  JsonObject,
  JsonValue,
} from 'rubicon-kernel'
import type { Scene } from './agents.ts'
import { createCanary } from './canary.ts'
import { MAX_QUANTITY, MUCH } from './contracts.ts'
import type { Rng } from './rng.ts'

/** Some are over before anything can run, some last for minutes. */
const VALID_MS = [3, 2000, 60_000, 600_000, 600_000]

export function buildDecision(
  { rng, site }: Pick<Scene, 'rng' | 'site'>,
  request: EscalationRequest,
  decision: DecisionWord,
  change: Partial<EscalationDecision> = {},
): EscalationDecision {
  const { intent_digest, shown_snapshot, triggers, impact, acknowledge } = request
  const bound = { decision, intent_digest, shown_snapshot, justification: createCanary('decision') }
  if (decision === 'ABORT') return { ...bound, lifts: [], ...change }
  // People look at the clock on the wall: that of one of the machines.
  const now = rng.pick(site.machines).clock.getNow()
  return {
    ...bound,
    lifts: triggers.map(({ id }) => id),
    valid_until: new Date(now + rng.pick(VALID_MS)).toISOString(),
    acknowledged_impact: impact,
    ...(acknowledge === undefined ? {} : { acknowledgement: acknowledge }),
    ...change,
  }
}

/** Less of the same, or more. */
export function drawModification(
  rng: Rng,
  proposal: JsonValue,
): NonNullable<EscalationDecision['modified']> {
  const { params = {} } = proposal as { readonly params?: JsonObject }
  const { quantity, amount } = params
  return {
    params: {
      ...params,
      ...(quantity === undefined ? {} : { quantity: drawQuantity(rng) }),
      ...(amount === undefined ? {} : { amount: String(rng.drawBetween(1, 5)) }),
    },
  }
}

/** Often just as much as is already for people. */
function drawQuantity(rng: Rng): number {
  return rng.drawChance(0.4) ? rng.drawBetween(MUCH, MUCH + 3) : rng.drawBetween(1, MAX_QUANTITY)
}
