import { LIMITS, type OpinionPayload, shorten, stripHidden, toCanonicalText } from 'rubicon-kernel'
import type { Write } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { mintSalt } from '../rows/identity.ts'

type Said =
  | Pick<Extract<OpinionPayload, { source: 'soft_guard' }>, 'source' | 'finding' | 'strict'>
  | Pick<Extract<OpinionPayload, { source: 'auditor' }>, 'source' | 'finding'>

/** Of what it is an opinion: a step of a flow, by the proposal that led to it. */
export type Subject = {
  readonly dfid: string
  readonly trajectory: string
  readonly step_id: string
  readonly proposal_hash: OpinionPayload['proposal_hash']
}

/** The record of what somebody outside the kernel made of a step. */
export function buildOpinionWrite(
  deps: Pick<Deps, 'random'>,
  { dfid, trajectory, step_id, proposal_hash }: Subject,
  { by, why, ...said }: Said & { readonly by: string; readonly why: string },
): Write {
  const details = { why: shortenReason(why) }
  const payload: OpinionPayload = {
    salt: mintSalt(deps),
    by,
    step_id,
    proposal_hash,
    ...said,
    details,
  }
  return {
    kind: 'append',
    trajectory,
    entry: 'evidence',
    dfid,
    payload: toCanonicalText(payload),
  }
}

/** A model may have written it, and an agent may have told the model what to write. */
export function shortenReason(why: string): string {
  return stripHidden(shorten(why, LIMITS.guardWords))
}
