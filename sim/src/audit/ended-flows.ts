/** I1: nothing is begun, carried out or sent again in a flow that was cancelled, or ended otherwise. */
import type { SignedIntent } from 'rubicon-kernel'
import type { Line, Report } from './report.ts'

export class EndedFlows {
  readonly #report: Report
  readonly #ended = new Set<string>()

  constructor(report: Report) {
    this.#report = report
  }

  add({ dfid = '' }: Line): void {
    this.#ended.add(dfid)
  }

  auditBegun({ dfid }: SignedIntent): void {
    if (this.#ended.has(dfid)) this.#report('I1', `${dfid} had ended before`)
  }
}
