/** Whether a text names places, ids or members of entries, as the search of the ledger reads them; else it is words. */
import { ENTRY_KINDS } from 'rubicon-kernel'

const TERMS: readonly RegExp[] = [
  /^#?\d{1,15}$/,
  /^sha256:[0-9a-f]{8,64}$/,
  /^[A-Za-z0-9._-]+\/\d{1,15}$/,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$/i,
  /^(agent|kind|code|dfid|trajectory):\S+$/,
  /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/,
]

export function isLedgerQuery(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.length > 0 && words.every(isTerm)
}

function isTerm(word: string): boolean {
  const kinds: readonly string[] = ENTRY_KINDS
  return kinds.includes(word) || TERMS.some((term) => term.test(word))
}
