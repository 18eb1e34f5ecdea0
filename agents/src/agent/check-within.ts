/**
 * Holds what an agent is about to say against its grammar, before anything is signed or sent: what a grammar does not admit
 * is refused where it was made, and the flow of the agent is not spent on it. It grants nothing: the runtime judges.
 */
import { type JsonObject, toCanonicalText } from 'rubicon-kernel/canonical'
import { type Grammar, readWritten } from 'rubicon-kernel/grammar'
import { AgentError } from './agent-error.ts'

/** Throws where the proposal is outside of the grammar. */
export function checkWithin(
  grammar: Pick<Grammar, 'schema'>,
  { policy_kind, params = {} }: { readonly policy_kind?: unknown; readonly params?: unknown },
): void {
  const text = toCanonicalText(parseDocument({ proposal: { policy_kind, params } }))
  const written = readWritten(grammar, text, isWhole)
  if (written.ok) return
  throw new AgentError({
    code: 'DECODE_FAILED',
    summary: `what is proposed is not signed: ${written.error}`,
    fix: 'write what the grammar of the flow admits (`flow.loadGrammar`), or propose without one',
  })
}

/** Expressions of grammars are of the operator, and anchored: a text fits as a whole. One that cannot be read fits nothing. */
function isWhole(expression: string, text: string): boolean {
  try {
    return new RegExp(`^(?:${expression})$`, 'u').test(text)
  } catch {
    return false
  }
}

function parseDocument(value: object): JsonObject {
  return value as JsonObject
}
