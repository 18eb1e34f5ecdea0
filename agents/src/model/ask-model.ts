/** One question to a model: it answers in time, in bounds and in form, or the run stops with a code. */
import type { AgentModel, GenerateRequest, ModelReply } from './agent-model.ts'
import { parseReply } from './parse-reply.ts'

/** Why a run stopped: one of these, or the code of the provider. */
export type StopCode =
  | 'NO_TOOL_CALL'
  | 'ROUNDS_EXHAUSTED'
  | 'TOKENS_EXHAUSTED'
  | 'COMPUTE_BUDGET_EXHAUSTED'
  | 'MODEL_REPLY_INVALID'
  | 'MODEL_REPLY_TOO_LONG'
  | 'MODEL_TIMEOUT'
  | 'MODEL_FAILED'
  | (string & {})

/** Ends a run, inside of it. */
export class ModelStop extends Error {
  readonly code: StopCode

  constructor(code: StopCode, message: string) {
    super(message)
    this.name = 'ModelStop'
    this.code = code
  }
}

export async function askModel(
  model: AgentModel,
  request: GenerateRequest,
  replyMs: number,
  outer?: AbortSignal,
): Promise<{ readonly reply: ModelReply; readonly used: number }> {
  const reply = parseReply(await generateInTime(model, request, replyMs, outer))
  if (!reply.ok) throw new ModelStop(reply.error.code, reply.error.summary)
  return { reply: reply.value, used: countTokens(request, reply.value) }
}

/** A model that never answers is not waited for, also where it does not listen to its signal. */
async function generateInTime(
  model: AgentModel,
  request: GenerateRequest,
  replyMs: number,
  outer?: AbortSignal,
): Promise<unknown> {
  const late = Promise.withResolvers<never>()
  const ended = new AbortController()
  const stop = (code: StopCode, message: string): void => {
    late.reject(new ModelStop(code, message))
    ended.abort()
  }
  const timer = setTimeout(() => stop('MODEL_TIMEOUT', `no reply in ${replyMs} ms`), replyMs)
  const abort = (): void => stop('RUN_ABORTED', 'whoever started the run ended it')
  if (outer?.aborted === true) abort()
  outer?.addEventListener('abort', abort)
  try {
    const asked = Promise.resolve().then(() => model.generate(request, { signal: ended.signal }))
    return await Promise.race([asked, late.promise])
  } catch (error) {
    throw error instanceof ModelStop ? error : toModelStop(error)
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', abort)
  }
}

/** With the provider's own code where it has one. Its message may hold anything, and is not passed on. */
function toModelStop(error: unknown): ModelStop {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,63}$/.test(code)
  return new ModelStop(isCode ? code : 'MODEL_FAILED', 'the model could not be asked')
}

/** Where nobody counted it is far more than it will have been: a token of text has some four characters. */
function countTokens({ max_tokens, ...request }: GenerateRequest, { usage }: ModelReply): number {
  if (usage !== null) return usage.input_tokens + usage.output_tokens
  return Math.ceil(JSON.stringify(request).length / 2) + max_tokens
}
