/** A purchase as if it had been about another amount, wherever that stands. */
import type { JsonObject } from 'rubicon-kernel'
import { getTraceLines, replaceIntentParams } from './forged-params.ts'
import type { Decision } from './forgery.ts'

export function getUsd({ payload }: Decision): string {
  return String((payload.proposal.params as JsonObject).usd)
}

/** What the capability would have said of it is in the trace. */
export function replaceUsd({ payload }: Decision, usd: string): Decision['payload'] {
  const params = { usd }
  const cost = { calls: '1', usd }
  return {
    ...payload,
    proposal: { ...payload.proposal, params },
    intent: { ...replaceIntentParams(payload.intent, params), cost },
    trace: getTraceLines(payload).map((line): JsonObject => {
      if (line.stage !== 'preconditions') return line
      const triggers = (line.triggers ?? []) as readonly JsonObject[]
      const asked = triggers.map((one): JsonObject => {
        return { ...one, details: { ...(one.details as JsonObject), value: usd } }
      })
      return { ...line, measures: { usd }, cost, ...(asked.length > 0 ? { triggers: asked } : {}) }
    }),
  }
}

/** Only what it costs is another; that is not what the capability said. */
export function replaceCost({ payload }: Decision, usd: string): Decision['payload'] {
  return { ...payload, intent: { ...payload.intent, cost: { calls: '1', usd } } }
}

/** The same in another step. */
export function replaceStep(
  { payload }: Pick<Decision, 'payload'>,
  step_id: string,
): Decision['payload'] {
  const params = payload.intent.params as JsonObject
  return {
    ...payload,
    proposal: { ...payload.proposal, step_id },
    intent: replaceIntentParams({ ...payload.intent, step_id }, params),
  }
}
