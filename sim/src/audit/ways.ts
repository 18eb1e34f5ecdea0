/** I26 and I27: decisions under atoms and with proofs, and who has to come which way. */
import { AskedClasses } from './asked-class.ts'
import { type AtomOptions, AuditedAtoms, type StoredAtom } from './atoms.ts'
import { AuditedProofs } from './proofs.ts'
import type { Line, Report } from './report.ts'
import type { ReadAgain, Verdicts } from './verdicts.ts'

export type WayOptions = Pick<AtomOptions, 'findContract' | 'verify'> & {
  readonly readAgain: ReadAgain
}

export class AuditedWays {
  readonly atoms: AuditedAtoms
  readonly #proofs: AuditedProofs
  readonly #classes = new AskedClasses()

  constructor(report: Report, verdicts: Verdicts, { findContract, verify, readAgain }: WayOptions) {
    const asked = { findContract, verify, classes: this.#classes }
    const ask: AtomOptions['ask'] = (record) => verdicts.askAgain(record, readAgain)
    this.atoms = new AuditedAtoms(report, { ...asked, ask })
    this.#proofs = new AuditedProofs(report, asked)
  }

  add(line: Line): void {
    this.#classes.add(line)
    this.atoms.add(line)
    this.#proofs.add(line)
  }

  finish(atoms: readonly StoredAtom[]): void {
    this.atoms.finish(atoms)
  }
}
