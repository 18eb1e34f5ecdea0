/**
 * A model is asked for the agent of a flow: by the runtime, which holds the key, within what the flow and the agent
 * may spend, and on the record.
 *
 * 1. Nothing is asked before the most that it can cost is durably reserved.
 * 2. Whatever becomes of it stands in one entry, also that nobody knows.
 * 3. What a model says is a claim of the agent that asked: it passes no gate and changes no authority.
 */
import {
  type Address,
  type Budget,
  computeAddressOfText,
  err,
  type Failure,
  type Grammar,
  ok,
  type Result,
  toCanonicalText,
  type WrittenProposal,
} from 'rubicon-kernel'
import {
  ModelFailure,
  type ModelPrice,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
} from '../../ports/model.ts'
import type { FlowRow } from '../../ports/store.ts'
import { buildFlowGrammar } from '../context/flow-grammar.ts'
import { loadOpen } from '../context/load-open.ts'
import type { Context } from '../engine-context.ts'
import { mintId } from '../rows/identity.ts'
import { askProvider, findModelPrice, LATE, type ProviderCall } from './ask-provider.ts'
import { readDecoded, toOutput } from './decode.ts'
import { computeLargestCost, computeUsageCost } from './generation-cost.ts'
import { buildAnsweredEnd, buildFailedEnd } from './generation-end.ts'
import { type GenerationRequest, parseModelRequest } from './parse-model-request.ts'
import { settleGeneration } from './settle-generation.ts'
import { type Asking, startGeneration } from './start-generation.ts'

export type { GenerationRequest }

/** What happens while a model is asked. */
export type GenerationIo = {
  /** Raised when nobody waits for it any more. What was asked is paid for all the same. */
  readonly signal?: AbortSignal
  /** Text as it comes; what counts is the answer. */
  readonly onText?: (text: string) => void
}

/** What a model answered, and what it cost. */
export type Generation = Pick<ModelReply, 'model' | 'text' | 'calls' | 'stop' | 'usage'> & {
  /** The flow for which it was asked. */
  readonly dfid: string
  /** By which the record has it. */
  readonly generation_id: string
  /** Who was asked. */
  readonly provider: string
  /** Of the flow: it has ended where it used too much. */
  readonly state: FlowRow['state']
  /** Counted against the budgets of flow and agent. */
  readonly used: Budget
  /** What was held to a grammar: that one, and what was written inside of it. */
  readonly grammar_hash?: Address
  /** What the agent may propose, where it asked for a proposal. */
  readonly proposal?: WrittenProposal
  /** Why the flow has ended. */
  readonly reason_code?: 'COMPUTE_BUDGET_EXHAUSTED'
}

export async function generate(
  context: Context,
  dfid: string,
  asked: GenerationRequest,
  io: GenerationIo = {},
): Promise<Result<Generation, Failure>> {
  const parsed = parseModelRequest(asked)
  if (!parsed.ok) return parsed
  const flow = await loadOpen(context, dfid, 'ACTIVE')
  if (!flow.ok) return flow
  const { provider: named, decode, ...plain } = parsed.value
  const found = findProvider(context, named)
  if (!found.ok) return found
  const grammar = decode === undefined ? null : await buildFlowGrammar(context, flow.value, decode)
  if (grammar !== null && !grammar.ok) return grammar
  const held = grammar?.value ?? null
  const request = held === null ? plain : { ...plain, output: toOutput(held) }
  const { name, provider } = found.value
  const generation_id = mintId(context)
  const waits = new AbortController()
  // Before anything is counted: that takes time, too.
  if (!context.generations.enter(generation_id, flow.value.agent_id, waits)) return err(overloaded)
  try {
    const price = findModelPrice(provider, request.model)
    const asking = await buildAsking(
      context,
      {
        ...{ generation_id, dfid, provider: name },
        ...(held === null ? {} : { grammar_hash: held.hash }),
      },
      request,
      price,
    )
    return await askReserved(
      context,
      { asking, provider, request, price, waits, grammar: held },
      io,
    )
  } finally {
    context.generations.leave(generation_id)
  }
}

async function buildAsking(
  context: Context,
  about: Pick<Asking, 'generation_id' | 'dfid' | 'provider' | 'grammar_hash'>,
  request: ModelRequest,
  price: ModelPrice | undefined,
): Promise<Asking> {
  const text = toCanonicalText(request)
  const tokenizer = await context.tokenizer()
  const pause = (): Promise<void> =>
    context.generations.takeTurn(() => context.clock.after(0).elapsed)
  return {
    ...about,
    model: request.model,
    request: text,
    request_hash: computeAddressOfText('model-request', text, context.sha256),
    largest: await computeLargestCost(tokenizer, request, text, price, pause),
  }
}

type Call = ProviderCall & {
  readonly asking: Asking
  readonly price: ModelPrice | undefined
  /** What the reply is held to; null: nothing. */
  readonly grammar: Grammar | null
}

async function askReserved(
  context: Context,
  call: Call,
  io: GenerationIo,
): Promise<Result<Generation, Failure>> {
  const { asking, price, grammar } = call
  const { failpoints } = context
  await failpoints.reach('generate.before_commit')
  const started = await startGeneration(context, asking, price !== undefined)
  if (!started.ok) return started
  await failpoints.reach('generate.after_commit')
  const { open } = started.value
  const reply = await askProvider(context.clock, call, io)
  await failpoints.reach('generate.before_settle')
  if (reply instanceof ModelFailure) {
    await settleGeneration(context, open, buildFailedEnd(context.sha256, reply, open.reserved))
    return err(toFailure(reply, asking))
  }
  const used = reply.usage === null ? open.reserved : computeUsageCost(reply.usage, price)
  const written = grammar === null ? null : readDecoded(context, grammar, reply)
  if (written instanceof ModelFailure) {
    await settleGeneration(context, open, buildFailedEnd(context.sha256, written, used))
    return err(toFailure(written, asking))
  }
  const end = buildAnsweredEnd(context.sha256, reply, used)
  const settled = await settleGeneration(context, open, end)
  await failpoints.reach('generate.after_settle')
  // Another engine took this one for dead, and has written that it is lost.
  if (settled === null)
    return err(toFailure(new ModelFailure('MODEL_TIMEOUT', 'it took too long', LATE), asking))
  const { model, calls, stop, usage } = reply
  return ok({
    ...{ dfid: asking.dfid, generation_id: asking.generation_id, provider: asking.provider },
    ...{ model, text: reply.text, calls, stop, usage, used, state: settled.state },
    ...(grammar === null || written === null
      ? {}
      : { grammar_hash: grammar.hash, proposal: written }),
    ...(settled.exhausted ? { reason_code: 'COMPUTE_BUDGET_EXHAUSTED' as const } : {}),
  })
}

function findProvider(
  { models = {} }: Context,
  named: string | undefined,
): Result<{ readonly name: string; readonly provider: ModelProvider }, Failure> {
  const names = Object.keys(models)
  const name = named ?? (names.length === 1 ? names[0] : undefined)
  const provider = name !== undefined && Object.hasOwn(models, name) ? models[name] : undefined
  if (name !== undefined && provider !== undefined) return ok({ name, provider })
  return err({
    code: 'MODEL_UNKNOWN',
    summary:
      named === undefined
        ? `the request names no provider, and there are ${names.length}`
        : 'there is no such provider of models',
    fix: 'name one of those that the runtime was given: `createRuntime({ models })`',
  })
}

function toFailure(failure: ModelFailure, { generation_id }: Asking): Failure {
  const { code, charged, retryAfterMs } = failure
  const [summary, fix] = TOLD[code]
  return {
    code,
    // In our words: what a provider says was written by strangers.
    summary,
    fix,
    meta: {
      generation_id,
      charged,
      ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    },
  }
}

/** What an agent is told, and what it can do about it. */
const TOLD: Readonly<Record<ModelFailure['code'], readonly [summary: string, fix: string]>> = {
  MODEL_RATE_LIMITED: ['the provider takes no more requests for now', 'wait, and ask again'],
  MODEL_UNAVAILABLE: ['the provider was not reached, or failed', 'ask again later'],
  MODEL_REFUSED: ['the provider refused the request', 'ask for something else'],
  MODEL_REPLY_INVALID: ['the reply cannot be read', 'ask again, or another model'],
  MODEL_REPLY_TOO_LONG: ['the reply is too long', 'ask for less'],
  DECODE_FAILED: [
    'the reply is outside of what the model was held to, or not whole',
    'ask again with more `max_tokens`, or another model',
  ],
  MODEL_TIMEOUT: ['there was no whole reply in time', 'ask for less, or again later'],
}

const overloaded: Failure = {
  code: 'OVERLOADED',
  summary: 'too many requests to models are under way, of the agent or of all',
  fix: 'try again later',
}
