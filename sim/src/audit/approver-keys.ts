/**
 * Who may decide: where somebody ever had a key for approving, a human with one that is in use. Humans are those of the
 * world, and a key is that of whoever it was registered for; whom the ledger links it to is what is judged.
 */
import type { ApprovalPayload, KeyPayload } from 'rubicon-kernel'
import { findHuman } from './humans.ts'

export class AuditedApproverKeys {
  /** Of each key in use, whose it is. */
  readonly #inUse = new Map<string, string>()
  #isAsked = false

  add({ body: { action, key_id, purpose, subject } }: KeyPayload): void {
    if (purpose !== 'approver') return
    this.#isAsked = true
    if (action === 'add') this.#inUse.set(key_id, findHuman(subject))
    else this.#inUse.delete(key_id)
  }

  /** Null: whoever decides may. */
  findProblem({ body, vouched_by, signature }: ApprovalPayload): string | null {
    if (body.person === undefined) return null
    const human = findHuman(body.approver)
    if (vouched_by === 'approver')
      return this.#inUse.get(signature.key_id) === human
        ? null
        : `${body.approver} signs with ${signature.key_id}, which is not a key of theirs in use`
    const isHeld = [...this.#inUse.values()].includes(human)
    return !this.#isAsked || isHeld
      ? null
      : `an operator vouches for ${body.approver}, who has no key for approving in use`
  }
}
