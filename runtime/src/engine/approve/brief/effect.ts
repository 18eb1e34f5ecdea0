/**
 * What would be different afterwards. It comes from the capability and from facts, never from what the
 * agent says about it; where the capability cannot tell, its parameters are all there is to show.
 */
import {
  type Contract,
  checkJson,
  createFactView,
  type Facts,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  type ResourceNeed,
} from 'rubicon-kernel'
import type { PreviewRow, RegisteredCapability } from '../../../ports/capability.ts'

export type BriefEffect = {
  /** Null: the capability cannot tell. */
  readonly changes: readonly PreviewRow[] | null
  /** What it would hold while it runs. */
  readonly holds: readonly ResourceNeed[]
  readonly params: JsonObject
}

export function buildBriefEffect(
  capability: RegisteredCapability | undefined,
  params: JsonObject,
  facts: Facts | null,
  contract: Contract | null,
): BriefEffect {
  if (capability === undefined || facts === null) return { changes: null, holds: [], params }
  const { hands, law } = capability
  const view = createFactView(facts, { law, contract })
  const rows = attempt(() => hands.preview?.(params, view))
  const holds = attempt(() => law.resources(params, view)) ?? []
  return { changes: rows === undefined ? null : parseRows(rows), holds, params }
}

/** Undefined when it throws: capabilities are other people's code. */
function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}

/** Null: what came is not what the port asks for, and half of a difference would mislead. */
function parseRows(rows: unknown): readonly PreviewRow[] | null {
  const read = checkJson(rows)
  if (!read.ok || !Array.isArray(read.value)) return null
  const fits = read.value.length <= LIMITS.previewRows && read.value.every(isRow)
  return fits ? (read.value as unknown as readonly PreviewRow[]) : null
}

function isRow(row: JsonValue): boolean {
  if (!isObject(row)) return false
  const { subject, field, before, after, unit = '' } = row
  const texts = [subject, field, unit].every((one) => typeof one === 'string')
  return texts && before !== undefined && after !== undefined
}
