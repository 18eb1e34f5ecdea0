/** What a contract declares its agent's context to be: it leaves out and demands, and adds nothing. */

import type { ContextDeclaration, ContextLayer } from '../contract/contract.ts'
import type { StateFact } from '../fact/state-fact.ts'
import type { ContextLimits } from './assemble.ts'

/** A contract that declares none uses them all. */
export function hasLayer(declared: ContextDeclaration | undefined, layer: ContextLayer): boolean {
  return declared === undefined || declared.layers.includes(layer)
}

/** The smaller counts: neither a contract nor a runtime gives more than the other. */
export function applyDeclaredLimits(
  given: ContextLimits,
  declared: ContextDeclaration | undefined,
): ContextLimits {
  const { tokens, session, memory, artifacts } = declared?.limits ?? {}
  const limitLayer = (limit: number, layer: ContextLayer, own?: number): number =>
    hasLayer(declared, layer) ? pickSmaller(limit, own) : 0
  return {
    tokens: pickSmaller(given.tokens, tokens),
    sessionEvents: limitLayer(given.sessionEvents, 'session', session),
    memoryEntries: limitLayer(given.memoryEntries, 'memory', memory),
    artifactChunks: limitLayer(given.artifactChunks, 'artifacts', artifacts),
    windowMs: given.windowMs,
  }
}

function pickSmaller(limit: number, own: number | undefined): number {
  return own === undefined ? limit : Math.min(limit, own)
}

/** The paths that it demands and that are not among what the agent may see. */
export function findMissingState(
  declared: ContextDeclaration | undefined,
  state: readonly StateFact[],
): readonly string[] {
  const known = new Set(state.map(({ path }) => path))
  return (declared?.requires ?? []).filter((path) => !known.has(path))
}
