/** What an agent can propose to do to an artifact. Targets are paths of symbols; content is a fragment of source, parsed where it is put. */
import type { JsonValue } from 'rubicon-kernel'

/** Behind which member; null: first. Left out: last. */
export type Anchor = { readonly after: string | null }

export type Delta =
  | {
      readonly op: 'addMember'
      readonly target: string
      readonly fragment: string
      readonly at?: Anchor
    }
  | { readonly op: 'replaceBody'; readonly target: string; readonly fragment: string }
  | { readonly op: 'setSignature'; readonly target: string; readonly fragment: string }
  | { readonly op: 'rename'; readonly target: string; readonly name: string }
  | { readonly op: 'remove'; readonly target: string }
  | { readonly op: 'move'; readonly target: string; readonly to: string; readonly at?: Anchor }
  | {
      readonly op: 'addImport'
      readonly from: string
      readonly name: string
      readonly as?: string
      readonly type_only?: boolean
    }
  | { readonly op: 'setValue'; readonly target: string; readonly value: JsonValue }
  | { readonly op: 'removeKey'; readonly target: string }
  | {
      readonly op: 'addSection'
      readonly target: string
      readonly fragment: string
      readonly at?: Anchor
    }
  | { readonly op: 'replaceSection'; readonly target: string; readonly fragment: string }
  | { readonly op: 'putBinary'; readonly content_hash: string }

export type DeltaOp = Delta['op']

/** Of the artifact itself: what belongs to no symbol is put here. */
export const ROOT = ''
