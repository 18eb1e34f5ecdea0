/**
 * I5, of the rules: what is dispatched was decided by rules, and for a capability, that count there; and
 * what takes the place of recorded rules is what an operator agreed to at that place.
 */
import type {
  CapabilityDescription,
  CapabilityRecord,
  PolicyPayload,
  SignedIntent,
} from 'rubicon-kernel'
import type { Line, Report } from './report.ts'

/** What counts, each with the time until which it does; null: until something replaces it. */
type Counting = readonly { readonly hash: string; readonly until: string | null }[]

export function listCapabilityRecords(body: PolicyPayload['body']): readonly CapabilityRecord[] {
  if ('rules_hash' in body) return body.capabilities
  return body.action === 'capability' ? [body] : []
}

export class AuditedRules {
  readonly #report: Report
  /** By `rules`, and by the kind of a capability. */
  readonly #counting = new Map<string, Counting>()
  readonly #agreed = new Set<string>()
  /** The entry that last recorded anything. */
  #last: string | null = null

  constructor(report: Report) {
    this.#report = report
  }

  /** An operator's yes: these rules in place of what the entry has recorded. */
  recordAgreement(entry: string, rules: string): void {
    this.#agreed.add(`${entry} ${rules}`)
  }

  /** Which capabilities were recorded with it. */
  auditRecordedRules({ id, seq }: Line, { body }: PolicyPayload): readonly CapabilityDescription[] {
    if (!('rules_hash' in body) && body.action !== 'capability') return []
    const rules = 'rules_hash' in body ? body.rules_hash : 'a capability'
    if (this.#last !== null && !this.#agreed.has(`${this.#last} ${rules}`))
      this.#report('I5', `authority/${seq} records ${rules}, to which nobody agreed there`)
    this.#last = id
    const records = listCapabilityRecords(body)
    const { previous_until } = body as { readonly previous_until?: string }
    if ('rules_hash' in body) this.#replace('rules', body.rules_hash, previous_until)
    for (const { capability, capability_hash } of records)
      this.#replace(`kind ${capability.kind}`, capability_hash, previous_until)
    return records.map(({ capability }) => capability)
  }

  #replace(what: string, hash: string, until: string | undefined): void {
    const before = this.#counting.get(what)?.find((one) => one.until === null)
    const former = before === undefined || until === undefined ? [] : [{ ...before, until }]
    const others = former.filter((one) => one.hash !== hash)
    this.#counting.set(what, [{ hash, until: null }, ...others])
  }

  /** Called for the first dispatch of an intent; what takes back stands on an earlier word. */
  auditDispatch(
    line: Line,
    { rules_hash, capability_hash, policy_kind, compensation }: SignedIntent,
  ): void {
    if (compensation !== undefined) return
    this.#check(line, 'rules', rules_hash)
    this.#check(line, `kind ${policy_kind}`, capability_hash)
  }

  #check(line: Line, what: string, hash: string): void {
    const found = this.#counting.get(what)?.find((one) => one.hash === hash)
    const counts = found !== undefined && (found.until === null || line.at < found.until)
    if (!counts)
      this.#report('I5', `${line.trajectory}/${line.seq} is under ${what} that are not in force`)
  }
}
