/** What a person decided, in ordinary words; the protocol's word stands beside it for auditors. */
import type { ReactNode } from 'react'
import { toVisibleText } from './visible-text.ts'

const DECISIONS: ReadonlyMap<string, string> = new Map([
  ['OVERRIDE', 'approved'],
  ['MODIFY', 'edited'],
  ['ABORT', 'rejected'],
  ['EXPIRED', 'expired'],
])

export function describeDecision(decision: string): string {
  return DECISIONS.get(decision) ?? toVisibleText(decision)
}

export function DecisionCode({ decision }: { readonly decision: string }): ReactNode {
  return <span className="quiet small mono">{toVisibleText(decision)}</span>
}
