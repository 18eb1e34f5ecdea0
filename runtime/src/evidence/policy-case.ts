/**
 * A decision kept as a test of rules: what compile is given, and what it must say. It stands alone, so
 * that rules are held against it long after the ledger it came from.
 */
import {
  err,
  type Failure,
  isObject,
  type JsonValue,
  ok,
  type Result,
  type Rules,
} from 'rubicon-kernel'
import type { CaseInput, CaseOutcome } from './decision-case.ts'
import { isSame, judgeCase, toApprovedLaw, toOutcome } from './judge-case.ts'

export const CASE_FORMAT = 'rubicon-case/1'

export type PolicyCase = {
  readonly format: typeof CASE_FORMAT
  readonly name: string
  readonly expect: CaseOutcome
  readonly input: CaseInput
}

export type CaseResult = {
  readonly name: string
  readonly ok: boolean
  readonly expect: CaseOutcome
  /** Null: it cannot be judged. */
  readonly found: CaseOutcome | null
}

export function createPolicyCase(name: string, input: CaseInput, expect: CaseOutcome): PolicyCase {
  const { facts, proposal, contract, writs } = input
  return { format: CASE_FORMAT, name, expect, input: { facts, proposal, contract, writs } }
}

export function checkCase({ name, expect, input }: PolicyCase, law: Rules): CaseResult {
  const found = judgeOutcome(input, law, expect)
  return { name, expect, found, ok: found !== null && isSame(found, expect) }
}

/** A file may hold facts that no ledger would: what cannot be judged does not pass. */
function judgeOutcome(input: CaseInput, law: Rules, expect: CaseOutcome): CaseOutcome | null {
  try {
    const verdict = judgeCase(input, toApprovedLaw(law, input.facts), expect)
    return verdict.ok ? toOutcome(verdict.value) : null
  } catch {
    return null
  }
}

export function parseCase(document: JsonValue, file: string): Result<PolicyCase, Failure> {
  const read = isObject(document) ? document : {}
  const { format, name, expect, input } = read
  const fits =
    format === CASE_FORMAT &&
    typeof name === 'string' &&
    isObject(expect) &&
    isObject(input) &&
    isObject(input.facts) &&
    Array.isArray(input.writs)
  if (fits) return ok(read as unknown as PolicyCase)
  return err({
    code: 'CASE_INVALID',
    summary: `\`${file}\` is not a case`,
    why: `it has no format \`${CASE_FORMAT}\`, or lacks name, expect or input`,
    fix: '`rubicon policy save --out FOLDER` saves recorded decisions as cases',
  })
}
