/**
 * The simulated provider of models: it takes its time, counts what it likes, talks nonsense, or never answers. What it
 * was asked and what it counted stands in its own log, which is what the auditor believes.
 */
import {
  ModelFailure,
  type ModelPrice,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type ModelUsage,
} from '../../runtime/src/ports/model.ts'
import type { VirtualTime } from './clock.ts'
import type { SimProcess } from './process.ts'
import type { Faults } from './swarm.ts'

/** USD for a million tokens, so that a token costs whole millionths. */
const MODEL_PRICE: ModelPrice = { input: '1', output: '2' }

/** `question`: by which the request is known. */
export type ModelEvent = { readonly question: string } & (
  | { readonly event: 'asked' }
  | { readonly event: 'answered'; readonly usage: ModelUsage | null }
  /** It may have worked, and nothing that can be used came of it. */
  | { readonly event: 'failed' }
  /** It has done nothing, and says so. */
  | { readonly event: 'turned_away' }
)

export type StormModelOptions = {
  readonly time: VirtualTime
  readonly faults: Faults
  readonly process: SimProcess
  readonly seen: (event: ModelEvent) => void
}

/** More than anything that was reserved. */
const TOO_MUCH = 20_000

export function createStormModel({
  time,
  faults,
  process,
  seen,
}: StormModelOptions): ModelProvider {
  return {
    name: 'storm',
    findPrice: () => MODEL_PRICE,
    async generate(request) {
      if (!process.alive) return process.waitForever()
      const question = findQuestion(request)
      seen({ event: 'asked', question })
      if (faults.drawFault('model_hangs')) return process.waitForever()
      await process.wait(time.sleep(faults.drawBetween(5, 800)))
      if (faults.drawFault('model_turns_away')) {
        seen({ event: 'turned_away', question })
        throw new ModelFailure('MODEL_RATE_LIMITED', 'later', { charged: false, retryAfterMs: 50 })
      }
      if (faults.drawFault('model_nonsense')) {
        seen({ event: 'failed', question })
        return parseNonsense('{"text": 7, "calls": "none"}')
      }
      const usage = drawUsage(request, faults)
      seen({ event: 'answered', question, usage })
      return buildReply(request, usage)
    },
  }
}

function drawUsage({ max_tokens }: ModelRequest, faults: Faults): ModelUsage | null {
  const output_tokens = faults.drawBetween(1, max_tokens)
  if (faults.drawFault('model_overcharges')) return { input_tokens: TOO_MUCH, output_tokens }
  if (faults.drawFault('model_uncounted')) return null
  return { input_tokens: faults.drawBetween(10, 400), output_tokens }
}

/** It says again what it was asked, as a call. */
function buildReply({ model, messages }: ModelRequest, usage: ModelUsage | null): ModelReply {
  const text = messages[0]?.text ?? ''
  const calls = [{ id: 'call', name: 'propose', arguments: text.slice(text.indexOf('{')) }]
  const reply = { model, text: '', calls, stop: 'tools', usage } as const
  return { ...reply, raw: JSON.stringify(reply) }
}

/** What a provider returns is of no type until it is read. */
function parseNonsense(text: string): ModelReply {
  return JSON.parse(text)
}

/** `question N {…}` */
function findQuestion({ messages }: ModelRequest): string {
  return messages[0]?.text.split(' {')[0] ?? ''
}
