/**
 * I21: a payload is missing if and only if an erasure names it, at its place and leaf; of an erased flow
 * nothing is left that has a salt, neither in the ledger nor in the rows; and nothing is written of it
 * afterwards.
 */
import type { Entry, ErasurePayload } from 'rubicon-kernel'
import type { Line, Report } from './report.ts'

/** What the store holds of flows in the end. */
export type ErasedView = {
  readonly entries: readonly (Entry & { readonly leaf: number })[]
  readonly flows: ReadonlyMap<string, { readonly trigger: string; readonly state: string }>
  readonly executions: readonly { readonly dfid: string; readonly intent: string }[]
  readonly escalations: readonly {
    readonly body: { readonly request: { readonly dfid: string } }
  }[]
}

const UNSALTED: ReadonlySet<string> = new Set(['root', 'branch', 'erasure'])
const ENDED: ReadonlySet<string> = new Set(['CLOSED', 'ABORTED'])

export class AuditedErasures {
  readonly #report: Report
  /** By leaf: where the payload stood, and of which flow. */
  readonly #named = new Map<number, { readonly place: string; readonly dfid: string }>()
  readonly #flows = new Set<string>()

  constructor(report: Report) {
    this.#report = report
  }

  add(line: Line): void {
    const { dfid, trajectory, kind, seq } = line
    if (dfid !== undefined && trajectory !== 'authority' && this.#flows.has(dfid))
      this.#report('I21', `${trajectory}/${seq} is of ${dfid}, which was erased before`)
    if (kind !== 'erasure') return
    const { body } = line.payload as ErasurePayload
    if (body.dfid !== dfid) this.#report('I21', `${trajectory}/${seq} erases another flow`)
    this.#flows.add(body.dfid)
    for (const one of body.payloads) {
      if (this.#named.has(one.leaf)) this.#report('I21', `leaf ${one.leaf} is erased twice`)
      this.#named.set(one.leaf, { place: `${one.trajectory}/${one.seq}`, dfid: body.dfid })
    }
  }

  finish({ entries, flows, executions, escalations }: ErasedView): void {
    for (const { envelope, payload, leaf } of entries) {
      const { trajectory, seq, dfid, kind } = envelope
      const place = `${trajectory}/${seq}`
      const named = this.#named.get(leaf)
      const isNamed = named?.place === place && named.dfid === dfid
      if ((payload === null) !== isNamed)
        this.#report('I21', `${place} is ${payload === null ? 'missing' : 'there'}, and should not`)
      const isErased = dfid !== undefined && this.#flows.has(dfid) && trajectory !== 'authority'
      if (isErased && payload !== null && !UNSALTED.has(kind))
        this.#report('I21', `${place} of an erased flow is left`)
    }
    for (const dfid of this.#flows) {
      const flow = flows.get(dfid)
      if (flow === undefined || flow.trigger !== '' || !ENDED.has(flow.state))
        this.#report('I21', `the row of ${dfid}, which was erased, says something`)
    }
    for (const { dfid, intent } of executions)
      if (this.#flows.has(dfid) !== (intent === '{}'))
        this.#report('I21', `a step of ${dfid} says too much, or too little`)
    for (const { body } of escalations)
      if (this.#flows.has(body.request.dfid))
        this.#report('I21', `a request of ${body.request.dfid} is left`)
  }
}
