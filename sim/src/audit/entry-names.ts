/** The names under which an entry is looked for later: its place, and what it is about. */
import type {
  ApprovalPayload,
  CommitPayload,
  GenerationPayload,
  SettlePayload,
  WritPayload,
} from 'rubicon-kernel'
import type { Line } from './report.ts'

export function listEntryNames({ trajectory, seq, kind, payload }: Line): readonly string[] {
  const names = [`${trajectory}/${seq}`]
  if (kind === 'writ') names.push(`writ ${(payload as WritPayload).writ.id}`)
  if (kind === 'settle' || kind === 'commit')
    names.push(`outcome ${(payload as SettlePayload | CommitPayload).intent_id}`)
  if (kind === 'evidence' && isGeneration(payload as object))
    names.push(`generation ${(payload as GenerationPayload).generation_id}`)
  if (kind === 'approval') {
    const { decision, request_id, approver } = (payload as ApprovalPayload).body
    names.push(`${decision} of ${request_id} by ${approver}`)
  }
  return names
}

/** Of what an agent asked a model, not of what an adviser did. */
export function isGeneration(payload: object): boolean {
  return 'generation_id' in payload && 'writ_id' in payload
}
