/** Models whose tokens are chosen on this side, and what holds them to a schema. */
export { createMaskedProvider } from './masked-provider.ts'
export { createXGrammarEngine } from './xgrammar.ts'
