/**
 * I1, I5, I8: nothing is sent again that would not be allowed now. It never let go of what it holds;
 * everything else is asked of it that is asked of a first dispatch. Approvals and maintenance are asked
 * in `exceptions.ts`.
 */
import type { PolicyProposal, ResendPayload } from 'rubicon-kernel'
import type { AuditedAuthority } from './authority.ts'
import { findDecision } from './decision-behind.ts'
import type { AuditedDrift } from './drift.ts'
import type { EndedFlows } from './ended-flows.ts'
import type { AuditedFacts } from './facts.ts'
import type { Line } from './report.ts'
import type { AuditedRules } from './rules.ts'
import type { Steps } from './steps.ts'
import type { Verdicts } from './verdicts.ts'

type Asked = {
  readonly steps: Steps
  readonly authority: AuditedAuthority
  readonly verdicts: Verdicts
  readonly rules: AuditedRules
  readonly drift: AuditedDrift
  readonly facts: AuditedFacts
  readonly ledger: ReadonlyMap<string, Line>
  readonly ended: EndedFlows
}

export class AuditedResends {
  readonly #asked: Asked

  constructor(asked: Asked) {
    this.#asked = asked
  }

  auditResend(line: Line, payload: ResendPayload): void {
    const { steps, authority, verdicts, rules, drift, facts, ledger, ended } = this.#asked
    const { body } = payload
    const intent = steps.auditResend(line, payload)
    if (intent === undefined) return
    const { proposal } = findDecision(ledger, body.first) ?? {}
    authority.auditDispatch(line, intent)
    authority.auditDeadline(line, intent, body.send_before)
    const undoes = intent.compensation !== undefined
    verdicts.auditResend(line, payload, proposal, undoes ? 'taken back' : 'carried out')
    if (undoes) return
    ended.auditBegun(intent)
    const { valid_until } = (proposal ?? {}) as Partial<PolicyProposal>
    if (intent.approval === undefined && valid_until !== undefined)
      authority.auditDeadline(line, intent, valid_until)
    rules.auditDispatch(line, intent)
    const contract = authority.contracts.get(intent.contract_hash)?.contract
    drift.auditDispatch(line, { intent, facts: payload.facts, proposal, jit: body.jit, contract })
    facts.auditDecision(line, intent, { ...payload, proposal })
  }
}
