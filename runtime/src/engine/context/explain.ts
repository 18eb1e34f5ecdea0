/**
 * What an agent thinks of its situation, on the record for people. It is kept as it came, shown as
 * untrusted text, and read by no gate; a proposal may refer to it by `explain_ref`.
 */
import {
  type ExplanationPayload,
  encodeBase64,
  err,
  type Failure,
  isBlank,
  LIMITS,
  ok,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { FlowRow, Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { mintSalt } from '../rows/identity.ts'
import { loadOpen } from './load-open.ts'

/** How an agent sees its situation: for people, never read by a gate. */
export type FlowExplanation = {
  /** What the agent sees, in its own words. */
  readonly narrative: string
  /** What it took from the facts. */
  readonly identified_signals?: readonly string[]
  /** What may be wrong about it. */
  readonly risks?: readonly string[]
}

/** Where an explanation is kept. */
export type Explained = {
  /** By which a proposal refers to it. */
  readonly explain_ref: string
}

const REF_BYTES = 12

export async function explain(
  context: Context,
  dfid: string,
  explanation: FlowExplanation,
): Promise<Result<Explained, Failure>> {
  const problem = checkExplanation(explanation)
  if (problem !== null) return err(problem)
  const explain_ref = `exp_${encodeBase64(context.random.bytes(REF_BYTES)).replaceAll('+', '-').replaceAll('/', '_')}`
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await loadOpen(context, dfid)
    if (!flow.ok) return flow
    const unit = buildExplanationUnit(context, flow.value, explain_ref, explanation)
    const outcome = await context.store.commit(unit)
    if (outcome.ok) return ok({ explain_ref })
    if (outcome.failed.kind === 'counter') return err(full)
  }
  return err(buildContentionFailure('the flow'))
}

function buildExplanationUnit(
  context: Context,
  { dfid, trajectory, version }: FlowRow,
  explain_ref: string,
  { narrative, identified_signals = [], risks = [] }: FlowExplanation,
): Unit {
  const payload: ExplanationPayload = {
    salt: mintSalt(context),
    source: 'agent',
    finding: 'explained',
    explain_ref,
    narrative,
    identified_signals,
    risks,
  }
  const text = toCanonicalText(payload)
  const id = `${dfid} explanations`
  return {
    guards: [
      { kind: 'flow_version', dfid, version },
      { kind: 'counter', id, by: 1, limit: LIMITS.explanationsPerFlow },
    ],
    writes: [
      { kind: 'append', trajectory, entry: 'evidence', dfid, payload: text },
      { kind: 'count', id, by: 1 },
    ],
  }
}

function checkExplanation({
  narrative,
  identified_signals = [],
  risks = [],
}: FlowExplanation): Failure | null {
  const texts: readonly unknown[] = [narrative, ...identified_signals, ...risks]
  const said = texts.filter((text) => typeof text === 'string')
  // Before it is looked at: half a character is nothing that anybody sees.
  if (said.some((text) => !text.isWellFormed()))
    return { code: 'JSON_LONE_SURROGATE', summary: 'the explanation holds half a character' }
  if (said.length < texts.length || isBlank(narrative))
    return { code: 'SCHEMA_INVALID', summary: 'an explanation has no narrative', fix: 'say why' }
  const length = said.reduce((sum, text) => sum + text.length, 0)
  if (length <= LIMITS.justificationLength) return null
  return {
    code: 'NOTE_TOO_LONG',
    summary: `the explanation has ${length} characters, and may have ${LIMITS.justificationLength}`,
    fix: 'write a shorter explanation',
  }
}

const full: Failure = {
  code: 'EXPLANATIONS_FULL',
  summary: `the flow has ${LIMITS.explanationsPerFlow} explanations, and may have no more`,
  fix: 'propose',
}
