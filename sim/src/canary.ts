/**
 * Secrets and personal data, planted wherever somebody else's text comes in, and the search for them
 * where nobody should find them (I13). One a field, so that a find names its way out.
 */
export const CANARY_FIELDS = [
  'decision',
  'error',
  'evidence',
  'memo',
  'mission',
  'note',
  'observation',
  'receipt',
  'refusal',
  'result',
  'story',
  'trigger',
] as const

export type CanaryField = (typeof CANARY_FIELDS)[number]

/** Nobody else makes such a word. */
function toCanaryMark(field: CanaryField): string {
  return `cnry7q${field}x9`
}

/** A secret and a person, in one word. */
export function createCanary(field: CanaryField): string {
  return `${toCanaryMark(field)}:jane.${toCanaryMark(field)}@example.com`
}

/** The fields whose canaries are in the text, as they are or in another coding. */
export function findCanaries(text: string): readonly CanaryField[] {
  return CANARY_FIELDS.filter((field) =>
    listMarkForms(toCanaryMark(field)).some((form) => text.includes(form)),
  )
}

function listMarkForms(mark: string): readonly string[] {
  // What stays the same of a base64 form, wherever in a text it begins.
  const base64 = [0, 1, 2].map((before) => {
    const coded = Buffer.from(' '.repeat(before) + mark).toString('base64')
    return coded.slice(before === 0 ? 0 : 4, -4)
  })
  return [mark, Buffer.from(mark).toString('hex'), ...base64]
}
