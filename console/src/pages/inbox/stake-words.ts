/** What is at stake, in a few words each: how far over which limit, and why it asks for care. */
import type { OverLimit, Stakes } from 'rubicon-agents/client'
import { parseDecimal } from 'rubicon-kernel'
import { formatAmount } from '../../parts/amount.ts'
import { toVisibleText } from '../../parts/visible-text.ts'

/** How bad it would be: shown by colour, and said by the words beside it. */
export type StakeTone = 'grave' | 'much' | 'odd' | 'calm'
export type StakeWord = { readonly text: string; readonly tone: StakeTone }

/** What a request and an edit of it say of how grave they are. */
export type StatedImpact = Pick<Stakes, 'reversible' | 'impact_reasons'>

export const LASTING: StakeWord = { text: 'cannot be undone', tone: 'grave' }

const REASONS: ReadonlyMap<string, StakeWord> = new Map([
  ['risk_critical', { text: 'critical risk', tone: 'grave' }],
  ['risk_high', { text: 'high risk', tone: 'much' }],
  ['exposure', { text: 'more than usual', tone: 'much' }],
  ['unusual', { text: 'unusual for this agent', tone: 'odd' }],
])

export function listStakeWords({ reversible, impact_reasons }: StatedImpact): readonly StakeWord[] {
  const reasons = impact_reasons
    .filter((reason) => reason !== 'irreversible')
    .map((reason) => REASONS.get(reason) ?? ({ text: reason, tone: 'much' } as const))
  return [...(reversible ? [] : [LASTING]), ...reasons]
}

/** Of a request that is open: that it can be taken back is said where nothing else is. */
export function listImpactWords(stakes: StatedImpact): readonly StakeWord[] {
  const words = listStakeWords(stakes)
  return words.length > 0 ? words : [{ text: 'can be undone', tone: 'calm' }]
}

/** `3 × the limit of 500`, `12 % over the limit of 500`; where a share says nothing, which limit it is. */
export function describeOver({ limit, value, max }: OverLimit): string {
  const [is, most] = [Number(value), Number(max)]
  const isShare = max !== null && parseDecimal(value) !== undefined && most > 0 && is > most
  if (!isShare) return `outside of the limit ${toVisibleText(limit)}`
  const amount = formatAmount(max)
  const share = is / most
  if (share >= 2) return `${formatTimes(share)} × the limit of ${amount}`
  return `${Math.max(1, Math.round((share - 1) * 100))} % over the limit of ${amount}`
}

function formatTimes(share: number): string {
  return share < 10 ? String(Math.round(share * 10) / 10) : formatAmount(String(Math.round(share)))
}
