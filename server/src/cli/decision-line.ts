/** How a decision looks on the command line: symbol, word, code. The same everywhere. */
import type { AnswerOutcome } from 'rubicon-kernel'
import type { Line } from '../demo/stage.ts'
import { escapeText } from './escape-text.ts'
import { type Output, SYMBOLS } from './output.ts'

export const OUTCOMES: Readonly<
  Record<AnswerOutcome, { readonly symbol: string; readonly word: string }>
> = {
  ACCEPTED: { symbol: SYMBOLS.allowed, word: 'accepted' },
  REJECTED: { symbol: SYMBOLS.rejected, word: 'rejected' },
  EXHAUSTED: { symbol: SYMBOLS.rejected, word: 'rejected' },
  ESCALATED: { symbol: SYMBOLS.waiting, word: 'escalated' },
  REPEATED: { symbol: SYMBOLS.repeated, word: 'repeated' },
}

/** `✖ rejected LIMIT_EXCEEDED` */
export function formatVerdict(out: Output, outcome: AnswerOutcome, code?: string): string {
  const { symbol, word } = OUTCOMES[outcome]
  return `${out.symbol(symbol)} ${word}${code === undefined ? '' : ` ${escapeText(code)}`}`
}

/** What scripts get of a decision. */
export function toDecisionData(lines: readonly Line[]): readonly object[] {
  return lines.flatMap((line) => {
    if (line.kind !== 'decision') return []
    const { outcome, reason_code, dfid, summary } = line
    return [{ outcome, ...(reason_code === undefined ? {} : { reason_code }), dfid, summary }]
  })
}
