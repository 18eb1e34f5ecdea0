/**
 * A model is asked for a soft guard or an auditor. What it says is given to the adviser alone; what becomes of the
 * question is kept for the record, whatever the adviser then does.
 */
import {
  type Budget,
  computeAddressOfText,
  findAgentClass,
  isIdentifier,
  LIMITS,
  toCanonicalText,
} from 'rubicon-kernel'
import type { AskedModel, AskModel, ModelQuestion } from '../../ports/adviser-model.ts'
import { ModelFailure, type ModelFailureCode, type ModelReply } from '../../ports/model.ts'
import type { AuthorityCache } from '../authority/authority-cache.ts'
import type { Deps } from '../deps.ts'
import { askProvider, findModelPrice } from '../generate/ask-provider.ts'
import { computeLargestCost, computeUsageCost } from '../generate/generation-cost.ts'
import { buildAnsweredEnd, buildFailedEnd, type HeardEnd } from '../generate/generation-end.ts'
import { mintId } from '../rows/identity.ts'
import {
  ADVISER_BUDGET,
  type Adviser,
  reserveAdvice,
  type Spending,
  settleAdvice,
  tellUsedUp,
} from './adviser-budget.ts'

export type AdviceDeps = Deps & { readonly authorities: AuthorityCache }

/** What was asked, and what became of it. */
export type AskedQuestion = HeardEnd & {
  readonly generation_id: string
  readonly provider: string
  readonly model: string
  /** Canonical. */
  readonly request: string
  readonly request_hash: `sha256:${string}`
  /** False: it was turned away here. */
  readonly isSent: boolean
}

/** Of which step, by whom, about whom. */
export type AdviserSubject = {
  readonly adviser: Adviser
  readonly agent_id: string
  readonly dfid: string
}

/** The questions that come of asking one adviser about one step. */
export class QuestionSheet {
  readonly #deps: AdviceDeps
  readonly #about: AdviserSubject
  readonly #asked: Promise<Heard | null>[] = []

  constructor(deps: AdviceDeps, about: AdviserSubject) {
    this.#deps = deps
    this.#about = about
  }

  /** The signal ends whatever is open. It never rejects: whoever does not wait for it would end the process. */
  createAsk(signal: AbortSignal): AskModel {
    return async (question) => {
      if (signal.aborted || this.#asked.length >= LIMITS.adviserQuestions)
        return buildUnasked('MODEL_TIMEOUT', false)
      // A store that fails, or a question that is none: nothing was asked that anybody knows of.
      const asking = askForAdviser(this.#deps, this.#about, question, signal).catch(() => null)
      this.#asked.push(asking)
      return (await asking)?.answer ?? buildUnasked('MODEL_UNAVAILABLE', true)
    }
  }

  /** What was asked; over once none of it is open. */
  async listAsked(): Promise<readonly AskedQuestion[]> {
    const heard = await Promise.all(this.#asked)
    return heard.flatMap((one) => (one === null ? [] : [one.asked]))
  }
}

type Heard = { readonly asked: AskedQuestion; readonly answer: AskedModel }

async function askForAdviser(
  deps: AdviceDeps,
  about: AdviserSubject,
  question: ModelQuestion,
  signal: AbortSignal,
): Promise<Heard> {
  const { clock, sha256 } = deps
  const { provider, request, budget, timeoutMs: ms } = question
  const text = toCanonicalText(request)
  const asking = {
    generation_id: mintId(deps),
    provider: isIdentifier(provider.name) ? provider.name : 'unnamed',
    model: request.model,
    request: text,
    request_hash: computeAddressOfText('model-request', text, sha256),
  }
  const price = findModelPrice(provider, request.model)
  if (price === undefined && budget.usd !== undefined)
    return toRefused(asking, 'MODEL_UNPRICED', false)
  const pause = (): Promise<void> => clock.after(0).elapsed
  const largest = await computeLargestCost(await deps.tokenizer(), request, text, price, pause)
  const spending = await loadSpending(deps, about, question)
  const usedUp = await reserveAdvice(deps, spending, largest)
  if (usedUp !== null) {
    await tellUsedUp(deps, spending, usedUp, about.dfid)
    return toRefused(asking, ADVISER_BUDGET, usedUp === 'window')
  }
  // Counting and reserving took their time: nobody is asked for an answer that nobody waits for.
  if (signal.aborted) {
    await settleAdvice(deps, spending, largest, {})
    return toRefused(asking, 'MODEL_TIMEOUT', false)
  }
  const call = { provider, request, waits: new AbortController() }
  const reply = await askProvider(clock, ms === undefined ? call : { ...call, ms }, { signal })
  const end = buildEnd(deps, reply, largest, price)
  await settleAdvice(deps, spending, largest, end.used)
  return { asked: { ...asking, ...end, isSent: true }, answer: toAnswer(reply) }
}

/** An instance is of its class: with a share for each, a fresh one would begin anew. */
async function loadSpending(
  { authorities, clock }: AdviceDeps,
  { adviser, agent_id }: AdviserSubject,
  { budget }: ModelQuestion,
): Promise<Spending> {
  const agent = findAgentClass(await authorities.loadLatest(), agent_id) ?? agent_id
  return { adviser, budget, agent, at: clock.now() }
}

function buildEnd(
  { sha256 }: Deps,
  reply: ModelReply | ModelFailure,
  largest: Budget,
  price: Parameters<typeof computeUsageCost>[1],
): HeardEnd {
  if (reply instanceof ModelFailure) return buildFailedEnd(sha256, reply, largest)
  const used = reply.usage === null ? largest : computeUsageCost(reply.usage, price)
  return buildAnsweredEnd(sha256, reply, used)
}

/** What has to do with the provider and not with the question. */
const PASSING: readonly ModelFailureCode[] = ['MODEL_RATE_LIMITED', 'MODEL_UNAVAILABLE']

function toAnswer(reply: ModelReply | ModelFailure): AskedModel {
  if (!(reply instanceof ModelFailure)) return { kind: 'replied', reply }
  return { kind: 'failed', reason_code: reply.code, passing: PASSING.includes(reply.code) }
}

function toRefused(
  asking: Omit<AskedQuestion, keyof HeardEnd | 'isSent'>,
  reason_code: string,
  passing: boolean,
): Heard {
  const found = { finding: 'failed', reason_code, charged: false } as const
  return {
    asked: { ...asking, found, used: {}, response: null, failure: null, isSent: false },
    answer: buildUnasked(reason_code, passing),
  }
}

function buildUnasked(reason_code: string, passing: boolean): AskedModel {
  return { kind: 'failed', reason_code, passing }
}
