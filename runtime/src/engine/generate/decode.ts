/**
 * A reply that is a proposal: what the model is held to, and that it was.
 *
 * D1 The grammar is built by the runtime, from the contract and writ of the flow and the State that the agent was shown;
 *    nobody outside chooses it.
 * D2 Whoever decodes is not believed: what came back is read, held against the grammar and against the schema of the
 *    tool. Nothing of it is repaired.
 * D3 A proposal inside of a grammar is a claim as any other: whoever proposes it is judged.
 */
import { type Grammar, readWritten, type WrittenProposal } from 'rubicon-kernel'
import { ModelFailure, type ModelReply, type ModelRequest } from '../../ports/model.ts'
import type { Context } from '../engine-context.ts'

/** As providers take it. */
export function toOutput({ schema }: Grammar): NonNullable<ModelRequest['output']> {
  return { name: 'proposal', schema }
}

/** The proposal, or why there is none. */
export function readDecoded(
  { book }: Context,
  grammar: Grammar,
  { text, calls, stop, raw }: ModelReply,
): WrittenProposal | ModelFailure {
  if (stop === 'length') return buildDecodeFailure('it did not come to its end', raw)
  if (calls.length > 0) return buildDecodeFailure('it calls a tool', raw)
  const written = readWritten(grammar, text, book.rules.regex)
  if (!written.ok) return buildDecodeFailure(written.error, raw)
  const { policy_kind, params } = written.value
  const [problem] = book.rules.capability(policy_kind)?.validate(params) ?? [NO_TOOL]
  return problem === undefined
    ? written.value
    : buildDecodeFailure(`\`${problem.path}\` ${problem.detail}`, raw)
}

const NO_TOOL = { path: '/policy_kind', detail: 'is no tool any more' }

function buildDecodeFailure(why: string, raw: string): ModelFailure {
  return new ModelFailure('DECODE_FAILED', why, { charged: true, raw })
}
