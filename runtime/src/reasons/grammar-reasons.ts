/** Codes of grammars: why there is none, and why a reply was none of it. */
import type { EngineReason } from './engine-reasons.ts'

export const GRAMMAR_REASONS: Readonly<Record<string, EngineReason>> = {
  DECODE_FAILED: {
    means: 'the model wrote no proposal inside of the grammar that it was held to',
    why: 'what a model server returns is checked here, too: a text that breaks the grammar, is incomplete or is not JSON is refused, and never repaired',
    fix: 'ask again with more `max_tokens`, or another model; what came is kept with the flow',
  },
  GRAMMAR_TOO_LARGE: {
    means: 'what the agent may write is too large for a grammar',
    why: 'schemas that refer to themselves, and long lists, would make decoding too slow',
    fix: 'ask for fewer kinds, or give the parameters of the tool a smaller schema',
  },
  GRAMMAR_UNSATISFIABLE: {
    means: 'no proposal that the contract allows could be written',
    why: 'the limits, the resources and the schema of each kind that was asked for leave no value, or the kind is not granted',
    fix: 'look at the rule that is named; ask for other kinds, or wait until the facts leave room',
  },
}
