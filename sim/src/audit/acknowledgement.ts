import type { Answer, DecisionWord } from 'rubicon-kernel'

/** What somebody outside was told, and therefore relies on. */
export type Acknowledgement =
  | { readonly kind: 'opened'; readonly dfid: string; readonly writ: string }
  | { readonly kind: 'answered'; readonly answer: Answer }
  | {
      readonly kind: 'generated'
      readonly generation_id: string
      readonly dfid: string
      readonly used: Readonly<Record<string, string>>
    }
  | { readonly kind: 'revoked'; readonly seq: number; readonly target: string }
  | {
      readonly kind: 'decided'
      readonly request: string
      readonly approver: string
      readonly word: DecisionWord
    }
