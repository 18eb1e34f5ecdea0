/** A decision that lets something happen, where its intent first stands; null: the line is none. */
import type { DecisionRecord, Facts, JsonObject, SignedIntent } from 'rubicon-kernel'
import type { Line } from './report.ts'

export type FirstDecision = {
  readonly intent: SignedIntent
  readonly facts: Facts
  readonly proposal: JsonObject
  readonly trace: DecisionRecord['trace']
  /** A person wrote it in the place of what an agent had proposed. */
  readonly isPersons: boolean
}

export function findFirstDecision({ kind, payload }: Line): FirstDecision | null {
  if (kind !== 'accepted' && kind !== 'dispatch') return null
  const record = payload as Partial<DecisionRecord> & { readonly intent?: SignedIntent }
  const { intent, facts, proposal, trace } = record
  // What takes back stands on the decision that chose so.
  if (intent === undefined || intent.compensation !== undefined) return null
  if (facts === undefined || proposal === undefined || trace === undefined) return null
  const said = proposal as JsonObject
  const { approval } = intent
  const isByAgent = approval?.approver.startsWith('agent:') === true
  const isPersons = approval !== undefined && said.supersedes !== undefined && !isByAgent
  return { intent, facts, proposal: said, trace, isPersons }
}
