/** What the reference interpreter says about recorded facts, in the words of whoever compares. */
import {
  type CompileInput,
  type JsonValue,
  parseProposal,
  REASONS,
  toAddressed,
} from 'rubicon-kernel'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import type { RecordedDecision } from './audit/verdicts.ts'
import { findLaw } from './laws.ts'
import { interpret } from './reference/interpret.ts'

/** Null: what is recorded is no proposal. */
export function toCompileInput({
  facts,
  proposal: document,
  contract,
  writs,
}: RecordedDecision): CompileInput | null {
  const parsed = parseProposal(document)
  if (!parsed.ok) return null
  return {
    facts: toAddressed('facts', facts, sha256),
    proposal: parsed.value,
    document: toAddressed('proposal', document as JsonValue, sha256),
    contract,
    writs,
    rules: findLaw(facts.rules_hash).book.rules,
  }
}

/** `staged`, `suspended`, `repeated`, or `rejected` and the code. */
export function readAgain(input: CompileInput): string {
  const { verdict, code } = interpret(input, REASONS)
  return verdict === 'rejected' ? `rejected ${code}` : verdict
}

/** Of a decision that was made on recorded facts; null: it passes. */
export function readDecisionAgain(decision: RecordedDecision): string | null {
  const input = toCompileInput(decision)
  if (input === null) return 'rejected SCHEMA_INVALID'
  const said = readAgain(input)
  return said === 'staged' ? null : said
}
