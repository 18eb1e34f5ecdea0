/** What a person decided, in ordinary words; the protocol's word stands in the tooltip for auditors. */
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

const DEEDS: ReadonlyMap<string, string> = new Map([
  ['OVERRIDE', 'Approve'],
  ['MODIFY', 'Edit'],
  ['ABORT', 'Reject'],
])

/** What they pressed; nothing where nobody did. */
export function DecisionDeed({ decision }: { readonly decision: string }): ReactNode {
  const deed = DEEDS.get(decision)
  if (deed === undefined) return null
  return (
    <span className="quiet small" title={`${decision} in the ledger`}>
      {deed}
    </span>
  )
}
