/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { AgentState } from './agent-state.ts'
export type { Indexed } from './artifact.ts'
export type { Owner } from './artifact-keys.ts'
export { compileContext } from './compile-context.ts'
export type { GrammarRequest } from './flow-grammar.ts'
export type { StoredNote } from './note.ts'
export type { DocumentSummary, DocumentText } from './read-documents.ts'
