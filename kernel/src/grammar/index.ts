/** What a model may write for an agent, from its contract and the schemas of its capabilities. */
export { buildGrammar, type GrammarInput } from './build-grammar.ts'
export { describeDecimalRange } from './decimal-range.ts'
export {
  type Grammar,
  type GrammarBody,
  hashGrammar,
  type ImpossibleKind,
  type UnboundedPlace,
} from './grammar.ts'
