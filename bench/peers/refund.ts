/** The action that every peer takes: a refund behind three rules, with a stub for the effect. */

export type Proposal = { readonly order: string; readonly cents: number }

export type Verdict =
  | { readonly kind: 'permit' }
  | { readonly kind: 'deny'; readonly reason: string }

export type Outcome =
  | { readonly kind: 'refunded'; readonly cents: number }
  | { readonly kind: 'denied'; readonly reason: string }

export const CEILING_CENTS = 50_000

/** The gate in plain code, for peers that bring no policy language. */
export function judgeProposal({ order, cents }: Proposal): Verdict {
  if (cents <= 0) return { kind: 'deny', reason: 'nothing to refund' }
  if (order === '') return { kind: 'deny', reason: 'no order' }
  if (cents > CEILING_CENTS) return { kind: 'deny', reason: 'above the ceiling' }
  return { kind: 'permit' }
}

let effects = 0

/** The effect is stubbed: what is measured is everything around it. */
export function refund({ cents }: Proposal): Outcome {
  effects += 1
  return { kind: 'refunded', cents }
}

export function toDenied({ reason }: { readonly reason: string }): Outcome {
  return { kind: 'denied', reason }
}

export function countEffects(): number {
  return effects
}
