/** What the tests of the stages say of a verdict. */
import assert from 'node:assert/strict'
import type { ReasonCode } from '../reason.ts'
import { REASONS } from '../reason.ts'
import { type CasePatch, withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import type { Verdict } from './verdict.ts'

export function verdictOf(patch: CasePatch): Verdict {
  return compile(withCase(patch))
}

/** Refused with this code, by the stage that produces it. */
export function refused(
  patch: CasePatch,
  code: ReasonCode,
): Extract<Verdict, { kind: 'rejected' }> {
  const verdict = verdictOf(patch)
  assert.equal(verdict.kind === 'rejected' ? verdict.code : verdict.kind, code)
  assert.ok(verdict.kind === 'rejected')
  assert.equal(verdict.stage, REASONS[code].producer)
  return verdict
}

export function staged(patch: CasePatch): Extract<Verdict, { kind: 'staged' }> {
  const verdict = verdictOf(patch)
  assert.ok(verdict.kind === 'staged', JSON.stringify(verdict.trace.at(-1)))
  return verdict
}

export function suspended(
  patch: CasePatch,
  code: ReasonCode,
): Extract<Verdict, { kind: 'suspended' }> {
  const verdict = verdictOf(patch)
  assert.equal('code' in verdict ? verdict.code : verdict.kind, code)
  assert.ok(verdict.kind === 'suspended', JSON.stringify(verdict.trace.at(-1)))
  return verdict
}
