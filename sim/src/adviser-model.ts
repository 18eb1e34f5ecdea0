/**
 * The model that guards and auditors of a storm ask: it finds fault now and then, turns away, talks nonsense or never
 * answers. What it was asked and what it counted stands in its own log, which is what the auditor believes. It counts
 * no more than was reserved: an adviser's process may end before it hears, and then nobody counts the rest.
 */
import type { AdviserBudget } from '../../runtime/src/ports/adviser-model.ts'
import {
  ModelFailure,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
} from '../../runtime/src/ports/model.ts'
import type { BesideOptions } from './beside.ts'

/** One window for the whole of a seed, whatever its clocks do. */
export const ADVICE_BUDGET: AdviserBudget = { window_s: 1_000_000_000, tokens: '60000' }

export type AdviceEvent = {
  readonly adviser: 'soft_guard' | 'auditor'
} /** `tokens`: the least that is reserved for it by now. */ & (
  | { readonly event: 'asked'; readonly tokens: number }
  /** Of what was asked with `asked` tokens. */
  | { readonly event: 'counted'; readonly asked: number; readonly tokens: number }
)

export function createAdviserModel(
  { time, faults, process, advised }: BesideOptions,
  adviser: AdviceEvent['adviser'],
): ModelProvider {
  return {
    name: `storm_${adviser}`,
    findPrice: () => undefined,
    async generate(request) {
      if (!process.alive) return process.waitForever()
      const { max_tokens: asked } = request
      advised?.({ adviser, event: 'asked', tokens: asked })
      if (faults.drawFault('model_hangs')) return process.waitForever()
      await process.wait(time.sleep(faults.drawBetween(5, 800)))
      if (faults.drawFault('model_turns_away')) {
        advised?.({ adviser, event: 'counted', asked, tokens: 0 })
        throw new ModelFailure('MODEL_RATE_LIMITED', 'later', { charged: false, retryAfterMs: 50 })
      }
      if (faults.drawFault('model_nonsense')) return buildReply(request, 'I would rather not say.')
      const isOdd = faults.drawBetween(1, 2) === 1
      const usage = { input_tokens: 1, output_tokens: faults.drawBetween(1, asked) }
      advised?.({ adviser, event: 'counted', asked, tokens: 1 + usage.output_tokens })
      const said = { verdict: isOdd ? 'does_not_fit' : 'fits', why: 'as it reads' }
      return { ...buildReply(request, JSON.stringify(said)), usage }
    },
  }
}

/** Whoever does not say what it counted is taken to have counted all. */
function buildReply({ model }: ModelRequest, text: string): ModelReply {
  return { model, text, calls: [], stop: 'end', usage: null, raw: text }
}
