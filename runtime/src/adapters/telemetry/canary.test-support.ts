/**
 * Secrets and personal data to plant wherever somebody else's text comes in, and the search for them
 * where nobody should find them. One canary a field, so that a find names its way out.
 */
import { hash } from 'node:crypto'

/** Fields that take any text. */
export const FREE_FIELDS = [
  'agent_state',
  'artifact_text',
  'cancel_reason',
  'capability_error',
  'capability_receipt',
  'capability_result',
  'capability_observation',
  'contract_mission',
  'domain_code_summary',
  'explanation',
  'handler_error',
  'justification',
  'kill_reason',
  'malformed_proposal',
  'not_applied_details',
  'not_applied_message',
  'note',
  'observation_value',
  'param_hidden',
  'param_list',
  'param_nested',
  'postcondition',
  'precondition',
  'probe_detail',
  'resource_id',
  'search',
  'state_value',
  'trigger',
  'unreadable_dfid',
] as const

/** Fields that take identifiers, or little more. */
export const NAMED_FIELDS = [
  'artifact_name',
  'artifact_title',
  'contract_owner',
  'explain_ref',
  'observation_path',
  'observation_source',
  'param_name',
  'session_token',
  'step_id',
  'unknown_kind',
  'usage_measure',
  'usage_report',
] as const

export type CanaryField = (typeof FREE_FIELDS)[number] | (typeof NAMED_FIELDS)[number]

/** The part that is looked for: nobody else makes such a word. */
function markOf(field: CanaryField): string {
  return `cnry${hash('sha256', field, 'hex').slice(0, 16)}`
}

/** An identifier, to be planted in a field that takes nothing else. */
export function namedCanary(field: CanaryField): string {
  return `${markOf(field)}.jane.doe`
}

/** A password, a person and an address with both. */
export function canary(field: CanaryField): string {
  const mark = markOf(field)
  return `password ${mark} of jane.${mark}@example.com, https://jane:${mark}@example.com/?key=${mark}`
}

/** The fields whose canaries are in the text, as they are or in another coding. */
export function canariesIn(text: string): readonly CanaryField[] {
  return [...FREE_FIELDS, ...NAMED_FIELDS].filter((field) => {
    const mark = markOf(field)
    return [mark, Buffer.from(mark).toString('hex'), ...base64Forms(mark)].some((form) =>
      text.includes(form),
    )
  })
}

/** What stays the same of its base64 form, wherever in a text it begins. */
function base64Forms(mark: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const coded = Buffer.from(' '.repeat(before) + mark).toString('base64')
    return coded.slice(before === 0 ? 0 : 4, -4)
  })
}
