/** The kernel's signature under a decision atom, and that its address is its own. */
import { type AtomPayload, type Sha256, toPositionAfter } from 'rubicon-kernel'
import { getMemberTexts, type ReadEntry, toPlace } from '../reading/read-entry.ts'
import { findTextMisfit } from '../report/misfits.ts'
import type { KeyRing } from './key-ring.ts'

type AtomInput = {
  readonly entry: ReadEntry
  readonly ring: KeyRing
  readonly sha256: Sha256
}

/** By a kernel key as it counted at the authority that the atom names. */
export function findAtomSignatureProblems(
  { entry, ring, sha256 }: AtomInput,
  { atom }: AtomPayload,
): readonly string[] {
  const texts = getMemberTexts(entry)
  const body = texts.getTextWithout('atom', ['atom_id', 'kernel_signature'])
  const found = findTextMisfit('atom_id', atom.atom_id, 'atom', body, sha256)
  const problem = ring.judge({
    type: 'atom',
    body: texts.getTextWithout('atom', ['kernel_signature']),
    signature: atom.kernel_signature,
    purpose: 'kernel',
    position: toPositionAfter(atom.authority_seq),
    place: toPlace(entry),
  })
  return problem === undefined ? found : [...found, problem]
}
