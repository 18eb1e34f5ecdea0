/** The form of a stage: it reads facts, and passes, refuses, or asks for a person. */
import type { JsonObject } from '../canonical/json-value.ts'
import type { ReasonCode } from '../reason.ts'
import { getPrecedence } from '../reason.ts'
import type { CompileInput, Findings } from './input.ts'
import type { Refusal, StageName, StageTrace } from './verdict.ts'

export type StageResult = Omit<StageTrace, 'stage' | 'read' | 'covered'>

export type Stage = {
  readonly name: StageName
  /** The facts it may read; the trace names them. */
  readonly reads: readonly string[]
  run(input: CompileInput, found: Findings): StageResult
  /** What is left to ask where an atom settled the rest: everything that a later moment can change. */
  runCovered?(input: CompileInput, found: Findings): StageResult
}

export const PASS: StageResult = { said: 'pass' }

export function refuse(code: ReasonCode, details: JsonObject = {}): StageResult {
  return { said: 'reject', refusals: [{ code, details }] }
}

/** All of them are reported; the first by precedence names the verdict. */
export function refuseAll(refusals: readonly Refusal[]): StageResult {
  return { said: 'reject', refusals: [...refusals].sort(compareByPrecedence) }
}

function compareByPrecedence(a: Refusal, b: Refusal): number {
  return getPrecedence(a.code) - getPrecedence(b.code)
}
