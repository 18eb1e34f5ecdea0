import type { JsonObject } from 'rubicon-kernel'
import type { ToolClassName } from '../lock/tool-class.ts'

/** What a server's hints say of a tool; undefined: nothing. They can make a proposal stricter, and never milder. */
export function readHintClass(annotations: JsonObject | undefined): ToolClassName | undefined {
  if (annotations === undefined) return undefined
  const { readOnlyHint: reads, destructiveHint: destroys } = annotations
  if (reads === true) return destroys === true ? 'destroy' : 'read'
  if (destroys === true) return 'destroy'
  return reads === false || destroys === false ? 'write' : undefined
}
