/** What a model may write for an agent, from its contract and the schemas of its capabilities. */
export { buildGrammar } from './build-grammar.ts'
export { describeDecimalRange } from './decimal-range.ts'
export type { Grammar } from './grammar.ts'
export { listGrammarPaths } from './param-range.ts'
export { readWritten, type WrittenProposal } from './read-written.ts'
