import {
  hashText,
  type JsonValue,
  MAIN,
  type SecurityEventPayload,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { mintSalt } from '../rows/identity.ts'

type Details = SecurityEventPayload['details']

export type Suspicious = Pick<Details, 'where' | 'path' | 'label'> & {
  /** As it came. */
  readonly original: JsonValue
  readonly flags: readonly string[]
}

/** The flow that it came into. */
type Place = { readonly trajectory: string; readonly dfid: string }

/**
 * The record that somebody tried to give orders. Nothing where nothing was found. The words are kept
 * where they were said; here only their hash is, so that they can be told apart.
 */
export function buildSecurityEvents(
  context: Context,
  { where, path, label, original, flags }: Suspicious,
  place?: Place,
): readonly Write[] {
  if (flags.length === 0) return []
  const text = typeof original === 'string' ? original : toCanonicalText(original)
  const details: Details = {
    where,
    ...(path === undefined ? {} : { path }),
    label,
    patterns: flags,
    hash: hashText(text.toWellFormed(), context.sha256),
  }
  const payload: SecurityEventPayload = {
    salt: mintSalt(context),
    source: 'sanitiser',
    finding: 'injection',
    details,
  }
  // Nothing but its place: what else a flow's row holds is no part of an entry.
  const at =
    place === undefined ? { trajectory: MAIN } : { trajectory: place.trajectory, dfid: place.dfid }
  return [
    {
      kind: 'append',
      ...at,
      entry: 'evidence',
      payload: toCanonicalText(payload),
    },
  ]
}
