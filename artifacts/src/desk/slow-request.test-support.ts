/** A request that takes minutes: every declaration is held against all others. */
import type { SymbolsRequest } from './desk-request.ts'

const DECLARATIONS = 150_000

export const SLOW: SymbolsRequest = {
  ask: 'symbols',
  text: {
    artifact: 'long.ts',
    text: Array.from({ length: DECLARATIONS }, (_, i) => `let a${i}: 1\n`).join(''),
  },
}
