/**
 * What is asked once more of an intent that is sent some time after its decision, by an executor of
 * its own or again: whether rules, keys, time, authority, budget and the state of things still allow
 * it. Arguments and policies were judged on bytes that cannot have changed; what a signature is worth
 * can.
 */
import type { ResourceNeed } from '../execution/capability.ts'
import { signatureStage } from './02-signature.ts'
import { windowStage } from './03-window.ts'
import { scopeStage } from './04-scope.ts'
import { capabilityStage } from './05-capability.ts'
import { budgetStage } from './06-budget.ts'
import { preconditionsStage } from './08-preconditions.ts'
import type { CompileInput, Findings } from './input.ts'
import { findRulesRefusal } from './rules-in-force.ts'
import type { Stage } from './stage.ts'
import { traceWriter } from './trace-text.ts'
import type { Refusal, StageName, StageTrace, Trace } from './verdict.ts'

const RECHECKED: readonly Stage[] = [
  signatureStage,
  windowStage,
  scopeStage,
  capabilityStage,
  budgetStage,
  preconditionsStage,
]

/** What takes back stands on the authority of whoever chose so, whatever the rules are now. */
const RECHECKED_UNDO: readonly Stage[] = [signatureStage, windowStage, scopeStage]

/** What the trace of something that is sent again names, in order; `undo`: of what takes back. */
export function listRecheckedStages(undo: boolean): readonly StageName[] {
  return (undo ? RECHECKED_UNDO : RECHECKED).map(({ name }) => name)
}

const traceText = traceWriter(RECHECKED)

export type Rechecked = {
  /** What asks for a person now, and was not approved when it was accepted, sends it back. */
  readonly refusal: Refusal | null
  readonly measures: Findings['measures']
  readonly resources: readonly ResourceNeed[]
  readonly trace: Trace
  readonly trace_text: string
}

export function recheck(input: CompileInput): Rechecked {
  const unruled = findRulesRefusal(input.facts.value)
  if (unruled === null) return runAgain(RECHECKED, input)
  return { refusal: unruled, measures: {}, resources: [], trace: [], trace_text: '[]' }
}

/** `input`: the choice that it carries out, and the flow of whoever made it. */
export function recheckUndo(input: CompileInput): Rechecked {
  // What is half done holds its agent back, and not what puts it right: the choice may be a step of that agent.
  const { agent } = input.facts.value
  const value = { ...input.facts.value, agent: { ...agent, maintenance: false } }
  return runAgain(RECHECKED_UNDO, { ...input, facts: { ...input.facts, value } })
}

function runAgain(stages: readonly Stage[], input: CompileInput): Rechecked {
  const found: Findings = { cost: {}, measures: {}, resources: [] }
  const lifted = input.facts.value.approval?.lifts ?? []
  const trace: StageTrace[] = []
  let refusal: Refusal | null = null
  for (const stage of stages) {
    const result = stage.run(input, found)
    trace.push({ stage: stage.name, read: stage.reads, ...result })
    const asked = (result.triggers ?? []).filter(({ id }) => !lifted.includes(id))
    const [first] = [...(result.refusals ?? []), ...asked]
    if (first === undefined) continue
    refusal = { code: first.code, details: first.details }
    break
  }
  const { measures, resources } = refusal === null ? found : { measures: {}, resources: [] }
  return { refusal, measures, resources, trace, trace_text: traceText(trace) }
}
