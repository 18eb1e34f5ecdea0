/** What is settled about a decision before it is thought out. */
export {
  ATOM_LASTS_MS,
  type AtomBody,
  buildAtom,
  COVERED_STAGES,
  computeAtomId,
  type SignedAtom,
  toAtomBody,
  toUnsignedAtom,
} from './atom.ts'
export { findForeignMember } from './problem.ts'
