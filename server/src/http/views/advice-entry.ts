import type { StoredEntry } from 'rubicon-runtime/ports'

/**
 * What a model was asked about a step, by a guard or an auditor. Payloads are canonical, so that most need not be
 * read for it; a context that an agent was shown may have facts in it that say the same of themselves.
 */
export function isAdvice({
  envelope,
  payload,
}: Pick<StoredEntry, 'envelope' | 'payload'>): boolean {
  if (envelope.kind !== 'evidence' || payload?.includes('"source":"adviser"') !== true) return false
  const { source } = JSON.parse(payload) as { readonly source?: string }
  return source === 'adviser'
}
