/** I1: nothing is begun, carried out or sent again in a flow that was cancelled, or ended otherwise. */
import type { RejectionPayload, SettlePayload, SignedIntent } from 'rubicon-kernel'
import type { Line, Report } from './report.ts'

const ENDING: readonly string[] = ['FLOW_CANCELLED', 'EVENT_HALTED']

export class EndedFlows {
  readonly #report: Report
  readonly #ended = new Set<string>()

  constructor(report: Report) {
    this.#report = report
  }

  addRejected({ dfid = '' }: Line, { reason_code, ended_flow }: RejectionPayload): void {
    if (ended_flow !== undefined || reason_code === 'FLOW_CANCELLED') this.#ended.add(dfid)
  }

  /** What was accepted and given back ends its flow where that was cancelled, or its event halted. */
  addSettled({ dfid = '' }: Line, { reason_code }: SettlePayload): void {
    if (ENDING.includes(reason_code)) this.#ended.add(dfid)
  }

  auditBegun({ dfid }: SignedIntent): void {
    if (this.#ended.has(dfid)) this.#report('I1', `${dfid} had ended before`)
  }
}
