/**
 * One decision of a model in one piece: it is asked once, and can write nothing but a proposal inside of what the
 * contract of the agent leaves. What it writes is proposed by whoever asked, and judged as everything is.
 */
import type { JsonObject } from 'rubicon-kernel/canonical'
import { AgentError } from '../agent/agent-error.ts'
import type { AgentFlow, AgentProposal } from '../agent/agent-flow.ts'
import type { FlowGenerator } from './flow-model.ts'
import { MODEL_LIMITS } from './model-limits.ts'
import { buildContextText, buildSystemText } from './model-prompt.ts'

/** What a model is asked to decide. */
export type DecodeOptions = {
  /** One of those that the runtime was set up with. */
  readonly model: string
  /** Whose it is, where several have one of that name. */
  readonly provider?: string
  /** The kinds that it may choose from. */
  readonly kinds: readonly string[]
  /** What it is told beside its mission and its contract. */
  readonly instructions?: string
  /** The most that is generated. */
  readonly maxTokens?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/** A proposal of a model, and the grammar that it was held to. */
export type DecodedProposal = {
  /** For `flow.propose`, with what else it should carry. */
  readonly proposal: Pick<AgentProposal, 'policy_kind'> & { readonly params: JsonObject }
  /** Of the grammar; it stands in the record of the generation. */
  readonly grammar_hash: string
}

/** Has a model of the runtime write a proposal for a flow; `flow.propose` is yours. */
export async function decodeProposal(
  generator: FlowGenerator,
  flow: Pick<AgentFlow, 'dfid' | 'context'>,
  options: DecodeOptions,
): Promise<DecodedProposal> {
  const { model, provider, kinds, instructions = '', signal } = options
  const request = {
    ...{ model, decode: { kinds } },
    ...(provider === undefined ? {} : { provider }),
    system: buildSystemText(flow.context, instructions, 'document'),
    messages: [{ role: 'user' as const, text: buildContextText(flow.context) }],
    max_tokens: options.maxTokens ?? MODEL_LIMITS.maxTokens,
  }
  const waiting = signal === undefined ? {} : { signal }
  const { proposal, grammar_hash } = await generator.generate(flow.dfid, request, waiting)
  if (proposal === undefined || grammar_hash === undefined) throw buildUnheldError()
  const { policy_kind, params } = proposal
  return { proposal: { policy_kind, params: parseParams(params) }, grammar_hash }
}

/** A runtime that is older than this package asks the model, and leaves it free. */
function buildUnheldError(): AgentError {
  return new AgentError({
    code: 'DECODE_FAILED',
    summary: 'the runtime held the model to no grammar',
    fix: 'use a runtime that knows `decode`',
  })
}

function parseParams(params: unknown): JsonObject {
  return params as JsonObject
}
