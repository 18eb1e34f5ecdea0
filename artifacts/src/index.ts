/** Artifacts, as others import them. */
export { parseTypeScript } from './formats/typescript/typescript.ts'
export { ARTIFACT_LIMITS } from './limits.ts'
export type { ParsedText, ParseProblem, ParseResult } from './tree/parsed.ts'
export type { SymbolNode } from './tree/symbol-node.ts'
