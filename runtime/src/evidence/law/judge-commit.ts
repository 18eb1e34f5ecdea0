/**
 * What a tool that is data did follows from its manifest, its parameters and what came back: the change to World, what
 * it cost, and that it is as promised. Of code elsewhere all of it is taken as recorded.
 */
import {
  buildManifestDelta,
  checkManifestPostcondition,
  type JsonObject,
  type JsonValue,
  type ToolManifest,
  type WorldFact,
} from 'rubicon-kernel'
import { toComparableText } from './compare-verdict.ts'
import type { OpenEffect } from './open-effects.ts'

/** What is wrong, in words; null: it is as the manifest says. */
export function findCommitProblem(
  { delta, observations, cost, settled_by }: JsonObject,
  { intent }: OpenEffect,
  manifest: ToolManifest,
): string | null {
  // What people found out they say themselves, and what takes back is the inverse of what was done.
  if (settled_by === 'person' || intent.compensation !== undefined) return null
  const [result, ...others]: readonly JsonValue[] = Array.isArray(observations) ? observations : []
  const isWorld = 'world' in manifest.executor
  if (others.length > 0 || (result === undefined) !== isWorld)
    return 'it observed something else than its executor returns'
  const answered = { params: intent.params, ...(result === undefined ? {} : { result }) }
  const lawful = buildManifestDelta(manifest.delta ?? [], answered, seeAnything)
  if (!lawful.ok) return `it changed World; by its manifest ${lawful.error}`
  if (toComparableText(stripVersions(lawful.value)) !== toComparableText(stripVersions(delta)))
    return 'it changed World otherwise than its manifest says'
  if (toComparableText(cost) !== toComparableText(intent.cost))
    return 'it cost something else than was computed'
  const broken = checkManifestPostcondition(manifest.postcondition ?? [], {
    params: intent.params,
    result: result ?? null,
  })
  return broken === null ? null : `it is recorded as done; by its manifest it is not: ${broken}`
}

/** Which versions a change is held to is for the fold of World. */
function stripVersions(delta: unknown): unknown {
  const ops: readonly unknown[] = Array.isArray(delta) ? delta : []
  return ops.map((op) => {
    const { expected_version: _, ...rest }: Record<string, unknown> = { ...(op as object) }
    return rest
  })
}

function seeAnything(kind: string, id: string): WorldFact {
  return { kind, id, version: 1, value: null, retracted: false }
}
