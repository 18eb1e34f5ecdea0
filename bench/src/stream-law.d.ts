import { type Grammar, type JsonObject } from 'rubicon-kernel'
export type StreamLaw = {
  buildGrammar(): Grammar
  /** What the stages say of it that a grammar claims to cover; none: it is inside. */
  listRefusals(kind: string, params: JsonObject): readonly string[]
}
export declare function createStreamLaw(): StreamLaw
