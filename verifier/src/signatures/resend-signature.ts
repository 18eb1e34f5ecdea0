/** The kernel's signature under what is sent again: over what it looked at, and what the law said of it. */
import {
  computeAddressOfText,
  type ResendPayload,
  type Sha256,
  toPositionAfter,
} from 'rubicon-kernel'
import { getMemberTexts, type ReadEntry, toPlace } from '../reading/read-entry.ts'
import { traceAddress } from '../report/misfits.ts'
import type { KeyRing } from './key-ring.ts'

type ResendInput = {
  readonly entry: ReadEntry
  readonly ring: KeyRing
  readonly sha256: Sha256
}

/** What it names is what it holds, and a kernel key of its place signed it. */
export function findResendSignatureProblems(
  { entry, ring, sha256 }: ResendInput,
  { body, signature }: ResendPayload,
): string[] {
  const found: string[] = []
  const texts = getMemberTexts(entry)
  if (computeAddressOfText('facts', texts.getText('facts'), sha256) !== body.facts_hash)
    found.push('facts_hash does not match')
  if (traceAddress(texts.getText('trace'), sha256) !== body.policy_trace_hash)
    found.push('policy_trace_hash does not match')
  const problem = ring.judge({
    type: 'resend',
    body: texts.getText('body'),
    signature,
    purpose: 'kernel',
    position: toPositionAfter(entry.envelope.authority_seq ?? -1),
    place: toPlace(entry),
  })
  return problem === undefined ? found : [...found, problem]
}
