/** I5, of the rules: what is dispatched was decided by rules, and for a capability, that count there. */
import type {
  CapabilityDescription,
  CapabilityRecord,
  PolicyPayload,
  SignedIntent,
} from 'rubicon-kernel'
import type { Line, Report } from './report.ts'

/** What counts, each with the time until which it does; null: until something replaces it. */
type Counting = readonly { readonly hash: string; readonly until: string | null }[]

export function recordsIn(body: PolicyPayload['body']): readonly CapabilityRecord[] {
  if ('rules_hash' in body) return body.capabilities
  return body.action === 'capability' ? [body] : []
}

export class AuditedRules {
  readonly #report: Report
  /** By `rules`, and by the kind of a capability. */
  readonly #counting = new Map<string, Counting>()

  constructor(report: Report) {
    this.#report = report
  }

  /** Which capabilities were recorded with it. */
  recorded({ body }: PolicyPayload): readonly CapabilityDescription[] {
    const records = recordsIn(body)
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
  dispatched(
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
