/** Each example of a reason code that the kernel produces, run through the stage that says it. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ArbitrationLaw, Bid, EventStanding } from './arbitration/bid.ts'
import { chooseNextBid } from './arbitration/outcome.ts'
import { baseCase, type CasePatch, withCase } from './compile/case.test-support.ts'
import { compile } from './compile/compile.ts'
import { checkDispatch } from './compile/dispatch-checks.ts'
import type { CompileInput } from './compile/input.ts'
import { hasFreeCapacity, type LockHold, lockRefusal } from './compile/lock-refusal.ts'
import type { Refusal, Trace, Verdict } from './compile/verdict.ts'
import { assembleContext, type ContextLimits } from './context/assemble.ts'
import { contextInput } from './context/context.test-support.ts'
import {
  type AskedBefore,
  admitEscalation,
  findFailureTrigger,
  findPauseRefusal,
} from './escalation/admission.ts'
import { type DecisionPatch, judged } from './escalation/case.test-support.ts'
import type { ResourceNeed } from './execution/capability.ts'
import { type Governed, govern } from './flow/governor.ts'
import { isReasonCode, REASON_CODES, REASONS, type ReasonCode } from './reason.ts'

/** The kinds of examples that this file runs. */
const KINDS: readonly string[] = [
  'compile',
  'context',
  'dispatch',
  'lock',
  'governor',
  'decision',
  'asking',
  'arbitration',
]

type Example = {
  readonly code: string
  readonly kind: string
  readonly title: string
  readonly input: unknown
}

const FOLDER = new URL('../../testdata/reasons/', import.meta.url)
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
const examples = names.map((name) => parseExample(readFileSync(new URL(name, FOLDER), 'utf8')))

test('the case that the examples change is staged, and passes the last look', () => {
  const input = baseCase()
  const verdict = compile(input)
  assert.equal(verdict.kind, 'staged')
  assert.equal(lastLook(input, verdict.trace), null)
})

for (const code of REASON_CODES) {
  const example = examples.find((one) => one.code === code)
  if (example === undefined || !KINDS.includes(example.kind)) continue
  test(`${code}: ${example.title}`, () => {
    if (example.kind === 'compile') compiles(code, example.input as CasePatch)
    else if (example.kind === 'context') assembles(code, example.input as ContextPatch)
    else if (example.kind === 'dispatch') dispatches(code, example.input as CasePatch)
    else if (example.kind === 'lock') locks(code, example.input as LockExample)
    else if (example.kind === 'decision') decides(code, example.input as DecisionPatch)
    else if (example.kind === 'arbitration') arbitrates(code, example.input as EventExample)
    else if (example.kind === 'asking') asks(code, example.input as AskingExample)
    else governs(code, example.input as { readonly refusals: readonly string[] })
  })
}

function parseExample(text: string): Example {
  return JSON.parse(text) as Example
}

/** The code names the verdict, and its producer is the stage that said it. */
function compiles(code: ReasonCode, patch: CasePatch): void {
  const verdict = compile(withCase(patch))
  const { producer } = REASONS[code]
  assert.equal(codeOf(verdict), code, JSON.stringify(verdict.trace.at(-1)))
  if (verdict.kind === 'rejected') {
    assert.equal(verdict.stage, producer)
    assert.deepEqual(codesOf(verdict.refusals), [code], 'nothing else is wrong with it')
  } else if (verdict.kind === 'suspended') {
    const said = verdict.trace.filter(({ triggers = [] }) =>
      triggers.some((one) => one.code === code),
    )
    assert.ok(producer === 'policy' || said.some(({ stage }) => stage === producer))
    assert.equal(verdict.triggers.length, 1, 'nothing else asks for a person')
  }
}

function codeOf(verdict: Verdict): string {
  return 'code' in verdict ? verdict.code : verdict.kind
}

function codesOf(refusals: readonly Refusal[]): readonly string[] {
  return [...new Set(refusals.map(({ code }) => code))]
}

/** The compiler lets it pass; what stops it is the last look at the outside. */
function dispatches(code: ReasonCode, patch: CasePatch): void {
  const input = withCase(patch)
  const verdict = compile(input)
  assert.equal(verdict.kind, 'staged', codeOf(verdict))
  assert.equal(lastLook(input, verdict.trace)?.code, code)
  assert.equal(REASONS[code].producer, 'dispatch')
}

function lastLook(
  { facts, proposal, contract, rules }: CompileInput,
  trace: Trace,
): Refusal | null {
  const law = rules.capability(proposal.policy_kind)
  assert.ok(contract !== null && law !== undefined)
  const measures = trace.find(({ stage }) => stage === 'preconditions')?.measures ?? {}
  return checkDispatch({ facts: facts.value, proposal, contract, law, measures })
}

type ContextPatch = Pick<CasePatch, 'contract'> & { readonly limits?: Partial<ContextLimits> }

/** The base case has a context; this one has none, and the failure says why. */
function assembles(code: ReasonCode, { limits = {}, ...changed }: ContextPatch): void {
  assert.ok(assembleContext(contextInput()).ok)
  const assembled = assembleContext(contextInput({ limits }, changed))
  assert.equal(assembled.ok ? null : assembled.error.code, code)
}

type LockExample = {
  readonly need: ResourceNeed
  readonly holds: readonly LockHold[]
  readonly waited_ms: number | null
}

function locks(code: ReasonCode, { need, holds, waited_ms }: LockExample): void {
  assert.equal(hasFreeCapacity(need, []), true, 'it is the others who are in the way')
  assert.equal(hasFreeCapacity(need, holds), false)
  assert.equal(lockRefusal(need, holds, waited_ms).code, code)
  assert.equal(REASONS[code].producer, 'dispatch')
}

/** The decision of the base case counts; this one does not, and the code says why. */
function decides(code: ReasonCode, patch: DecisionPatch): void {
  assert.equal(judged({}), null)
  assert.equal(judged(patch)?.code, code)
  assert.equal(REASONS[code].producer, 'escalation')
}

type AskingExample =
  | { readonly escalation: AskedBefore }
  | { readonly paused: boolean; readonly waiting: number }
  | { readonly failures: number }

function asks(code: ReasonCode, example: AskingExample): void {
  assert.equal(REASONS[code].producer, 'escalation')
  assert.equal(askedCode(example), code)
}

function askedCode(example: AskingExample): string | undefined {
  if ('escalation' in example) return admitEscalation(example.escalation).refusal?.code
  if ('failures' in example) return findFailureTrigger(example.failures, [])?.code
  const { safety_rules } = baseCase().contract ?? assert.fail('the base case has a contract')
  const rules = { ...safety_rules, pause_on_escalation: example.paused }
  return findPauseRefusal({ safety_rules: rules }, example.waiting)?.code
}

type EventExample = {
  readonly law: ArbitrationLaw
  readonly event: EventStanding
  readonly bid: Bid
}

/** Alone it would be carried out; this event leaves no room for it. */
function arbitrates(code: ReasonCode, { law, event, bid }: EventExample): void {
  assert.equal(chooseNextBid(law, { ...event, winners: [], halted_by: null }, [bid]).next, bid)
  assert.equal(chooseNextBid(law, event, [bid]).lost[0]?.refusal.code, code)
  assert.equal(REASONS[code].producer, 'arbitration')
}

/** The last refusal ends the flow, and none before it does. */
function governs(code: ReasonCode, { refusals }: { readonly refusals: readonly string[] }): void {
  let counted: Governed = { rejections: 0, transient_rejections: 0, ended: null }
  for (const refusal of refusals) {
    assert.ok(isReasonCode(refusal))
    assert.equal(counted.ended, null)
    counted = govern(counted, refusal)
  }
  assert.equal(counted.ended, code)
}
