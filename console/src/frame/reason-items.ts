/** Reason codes with what they mean: a large table, loaded when somebody searches. */
import { REASON_CODES, REASONS } from 'rubicon-kernel'
import type { PaletteItem } from './palette-items.ts'

export const REASON_ITEMS: readonly PaletteItem[] = REASON_CODES.map((code) => ({
  label: code,
  hint: REASONS[code].means,
  also: code.replaceAll('_', ' '),
  href: `/docs/reasons/${code}`,
  leaves: true,
}))
