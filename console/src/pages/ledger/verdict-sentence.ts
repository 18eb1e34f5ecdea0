/** What came of a check, in one sentence. */
import type { Verified } from './verification.ts'

/** How ids are shortened, and how a moment is shown as a date, and exactly. */
export type Told = {
  readonly short: (id: string) => string
  readonly day: (at: string) => string
  readonly exactly: (at: string) => string
}

export function formatVerdict(verified: Verified, told: Told): string {
  const { report, what } = verified
  const counted = `${formatNumber(report.entries)} ${report.entries === 1 ? 'entry' : 'entries'}`
  if (report.ok)
    return `${counted}, ${what === 'bundle' ? describeProven(verified, told) : describeUnbroken(verified, told)} (${trustWords(verified, told)})`
  const { finding } = verified.bad ?? {}
  const count = report.findings.length + report.left_off
  const more = count > 1 ? `, the first of ${formatNumber(count)} findings` : ''
  const where =
    finding?.leaf === null || finding === undefined
      ? 'in the checkpoint or the keys'
      : `at entry ${formatNumber(finding.leaf)}`
  return `${counted}, broken ${where}: ${finding?.code ?? 'unknown'}${more}`
}

function describeUnbroken({ head, until }: Verified, { short, exactly }: Told): string {
  if (head === null) return 'unbroken'
  const covering = until === null ? '' : `, up to ${exactly(until)}`
  return `unbroken, root matches checkpoint ${short(head.root)}${covering}, signed by key ${head.signer?.key_id ?? 'unknown'}`
}

function describeProven({ head, report }: Verified, { short }: Told): string {
  const open = report.unsettled ?? 0
  const unsettled =
    open === 0
      ? ''
      : `; unsettled: ${formatNumber(open)} ${open === 1 ? 'effect has' : 'effects have'} no outcome in it`
  if (head === null) return `consistent${unsettled}`
  return `each proven to be in the log of ${formatNumber(head.size)} entries whose root is ${short(head.root)}, signed by key ${head.signer?.key_id ?? 'unknown'}${unsettled}`
}

function trustWords({ what, pin, report }: Verified, { day }: Told): string {
  return report.strength === 'trusted' && pin !== null
    ? `trusted: pinned by you on ${day(pin.pinned_at)}`
    : `not pinned: the keys are the ${what === 'server' ? 'server' : 'file'}’s own`
}

/** `14,203`, in every browser. */
export function formatNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
