/**
 * The grammar of a flow, for whoever decodes elsewhere or signs what it proposes. It is the one that a generation of the
 * runtime is held to; what is proposed is judged all the same.
 */
import { err, type Failure, type Grammar, type Result } from 'rubicon-kernel'
import { buildFlowGrammar, type GrammarRequest } from '../context/flow-grammar.ts'
import type { Context } from '../engine-context.ts'
import { unknownFlow } from './settled.ts'

export async function buildOfferedGrammar(
  context: Context,
  dfid: string,
  request: GrammarRequest,
): Promise<Result<Grammar, Failure>> {
  const flow = await context.store.readFlow(dfid)
  return flow === null ? err(unknownFlow) : buildFlowGrammar(context, flow, request)
}
