/**
 * I2, for acts: whatever is asked again under one key opens one flow, as long as keys last. Each key has a
 * trigger of its own. Of calls that may be made twice see `calls.ts`.
 */
import type { WritPayload } from 'rubicon-kernel'
import { AuditedCalls } from './calls.ts'
import type { Line, Report } from './report.ts'

const KEYED = 'under key '
const KEY_MS = 3_600_000

export function toKeyedTrigger(key: number): string {
  return `${KEYED}${key}`
}

export class AuditedActs {
  readonly #report: Report
  readonly calls: AuditedCalls
  readonly #opened = new Map<string, Pick<Line, 'dfid' | 'at'>>()

  constructor(report: Report, getMs: () => number) {
    this.#report = report
    this.calls = new AuditedCalls(report, getMs)
  }

  auditOpening({ dfid, at }: Line, { flow }: WritPayload): void {
    const trigger = flow?.trigger ?? ''
    if (!trigger.startsWith(KEYED)) return
    const first = this.#opened.get(trigger)
    this.#opened.set(trigger, { dfid, at })
    if (first === undefined || Date.parse(at) - Date.parse(first.at) >= KEY_MS) return
    this.#report('I2', `${trigger} flow ${dfid} was opened, and ${first.dfid} before it`)
  }
}
