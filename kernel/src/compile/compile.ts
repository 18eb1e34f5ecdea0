/**
 * The law, applied. Ten stages in order, the seed's five gates inside them, one verdict out.
 *
 * K1 pure: the same input gives the same verdict, byte for byte.
 * K2 the first stage that refuses decides; no later stage runs.
 * K3 an intent exists only if every stage passed.
 * K4 the trace names every stage that ran, what it read and what it said.
 */
import { assert } from '../assert.ts'
import { getPrecedence } from '../reason.ts'
import { atomStage, isAtomLookedAt } from './00-atom.ts'
import { isProofLookedAt, proofStage } from './00-proof.ts'
import { repeatStage } from './00-repeat.ts'
import { kindStage } from './01-kind.ts'
import { signatureStage } from './02-signature.ts'
import { windowStage } from './03-window.ts'
import { scopeStage } from './04-scope.ts'
import { capabilityStage } from './05-capability.ts'
import { budgetStage } from './06-budget.ts'
import { argumentsStage } from './07-arguments.ts'
import { preconditionsStage } from './08-preconditions.ts'
import { policyStage } from './09-policy.ts'
import { computeIntentDigest, emitIntent, findApprovalRefusal } from './10-emission.ts'
import type { CompileInput, Findings } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { traceWriter } from './trace-text.ts'
import type { StageName, StageTrace, Trace, Trigger, Verdict } from './verdict.ts'

export const COMPILE_STAGES: readonly Stage[] = [
  repeatStage,
  kindStage,
  signatureStage,
  windowStage,
  scopeStage,
  capabilityStage,
  budgetStage,
  argumentsStage,
  preconditionsStage,
  policyStage,
]

/** A proof is checked before anything is asked about what it proves. */
const PROVEN_STAGES: readonly Stage[] = [proofStage, ...COMPILE_STAGES]

/** Every stage that there is. An atom is looked at once it is known that nothing came of the step yet. */
export const ALL_STAGES: readonly Stage[] = [
  proofStage,
  repeatStage,
  atomStage,
  ...COMPILE_STAGES.filter((stage) => stage !== repeatStage),
]

const traceText = traceWriter(ALL_STAGES)

function listStages(input: CompileInput): readonly Stage[] {
  const isProven = isProofLookedAt(input)
  if (!isAtomLookedAt(input)) return isProven ? PROVEN_STAGES : COMPILE_STAGES
  return isProven ? ALL_STAGES : ALL_STAGES.slice(1)
}

/** Hears that a stage has ended. It is told after the fact, and what it does changes no verdict. */
export type CompileObserver = (stage: StageName) => void

export function compile(input: CompileInput, observer?: CompileObserver): Verdict {
  const found: Findings = { cost: {}, measures: {}, resources: [] }
  const trace: StageTrace[] = []
  for (const stage of listStages(input)) {
    const isCovered = found.covered?.includes(stage.name) === true
    const rest = isCovered ? stage.runCovered : undefined
    const result = rest === undefined ? stage.run(input, found) : rest(input, found)
    observer?.(stage.name)
    const by = rest === undefined ? {} : { covered: true as const }
    trace.push({ stage: stage.name, read: stage.reads, ...by, ...result })
    if (result.said === 'repeat') return { kind: 'repeated', trace }
    if (result.said === 'reject') return buildRejection(stage, result, trace)
  }
  const verdict = emit(input, found, trace)
  observer?.('emission')
  return verdict
}

function buildRejection(stage: Stage, { refusals }: StageResult, trace: Trace): Verdict {
  const first = refusals?.[0]
  assert(refusals !== undefined && first !== undefined, 'a rejection has a refusal')
  return { kind: 'rejected', stage: stage.name, ...first, refusals, trace }
}

function emit(input: CompileInput, found: Findings, trace: Trace): Verdict {
  const trace_text = traceText(trace)
  const { intent, text } = emitIntent(input, found, trace_text)
  const lifted = intent.approval?.lifts ?? []
  const triggers = trace.flatMap((line) => line.triggers ?? [])
  const first = triggers.filter(({ id }) => !lifted.includes(id)).sort(compareByPrecedence)[0]
  if (first === undefined) {
    const refusal = findApprovalRefusal(intent, input.rules.sha256)
    const flagged = trace.flatMap((line) => line.flagged ?? [])
    if (refusal === null)
      return { kind: 'staged', intent, intent_text: text, flagged, trace, trace_text }
    return { kind: 'rejected', stage: 'emission', ...refusal, refusals: [refusal], trace }
  }
  // An approval is used up by its release, so that whoever is asked again is asked about all of it.
  return {
    kind: 'suspended',
    code: first.code,
    ...(first.domain_code === undefined ? {} : { domain_code: first.domain_code }),
    triggers,
    intent_digest: computeIntentDigest(intent, input.rules.sha256),
    trace,
  }
}

function compareByPrecedence(a: Trigger, b: Trigger): number {
  return getPrecedence(a.code) - getPrecedence(b.code)
}
