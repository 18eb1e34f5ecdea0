import type { LedgerSource } from './read-ledger.ts'

/**
 * What a header, an entry and a bundle have in their first line, each at least two of them: one
 * damaged byte does not make a file anything else.
 */
const SIGNS = ['"checkpoint":', '"envelope":', '"payload_hash":', '"rubicon-'] as const

/** They stand at the beginning, since members are sorted; a line may be as long as a bundle. */
const BEGINNING = 4_096

/** Whether it is worth looking for what is wrong: of any other file every line would be. */
export function isLedgerLike(source: LedgerSource): boolean {
  const beginning =
    typeof source === 'string'
      ? source.slice(0, BEGINNING)
      : new TextDecoder().decode(source.subarray(0, BEGINNING))
  const [line = ''] = beginning.split('\n', 1)
  return SIGNS.some((sign) => line.includes(sign))
}
