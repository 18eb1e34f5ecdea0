/**
 * What a person says of a tool, since nobody believes a server about itself: whether it changes anything, whether that
 * can be taken back, and which of its arguments a contract can bound. It is a part of a manifest, and read as one.
 */
import type { ToolManifest } from 'rubicon-kernel'

export type ToolClass = Pick<ToolManifest, 'effect' | 'reversible' | 'risk'> &
  Partial<
    Pick<
      ToolManifest,
      | 'accepts'
      | 'cost'
      | 'exposure'
      | 'jit_fields'
      | 'measures'
      | 'precondition'
      | 'probe'
      | 'reads'
      | 'reducing'
      | 'resources'
      | 'scopes'
      | 'sinks'
      | 'touches'
    >
  > & { readonly timeout_ms?: number; readonly max_bytes?: number }

/** Of a tool that nobody has looked at: it may do anything, and nothing can be taken back. */
export const UNREVIEWED: ToolClass = { effect: 'unsafe', reversible: false, risk: 'critical' }

/**
 * What a person may say in one word: `write` is what somebody can repair afterwards, `destroy` what nobody can. Either is
 * sent once, and is UNKNOWN when its answer is lost.
 */
export type ToolClassName = 'destroy' | 'read' | 'write'

export const TOOL_CLASSES: Readonly<Record<ToolClassName, ToolClass>> = {
  read: { effect: 'read', reversible: true, risk: 'low' },
  write: { effect: 'unsafe', reversible: true, risk: 'medium' },
  destroy: { effect: 'unsafe', reversible: false, risk: 'critical' },
}

export function isToolClassName(text: string): text is ToolClassName {
  return Object.hasOwn(TOOL_CLASSES, text)
}
