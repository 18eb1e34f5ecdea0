/** What is settled about a decision before it is thought out. */
export {
  type Atom,
  type AtomBody,
  addressAtom,
  COVERED_STAGES,
  type CoveredStage,
  computeAtomId,
  type SignedAtom,
  toAtomBody,
  toUnsignedAtom,
} from './atom.ts'
export { findForeignMember, isAtomCurrent } from './problem.ts'
