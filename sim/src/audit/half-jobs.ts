/**
 * I11, the other way round: not whether what is called half done is treated so, but whether whatever is half done is called
 * so, in the unit of the outcome that made it so; for the flow itself and for those above it, whichever outcome comes last.
 * And of every flow that ever was, somebody was told, also where it was put right before the end.
 *
 * H1 an effect fails, and another one of its flow, or of one below, stands: the flow is half done.
 * H2 an effect fails, and one of the flow above, or elsewhere below that, stands: the flow above is half done.
 * H3 an effect succeeds that was on its way when a flow ended over a failure: whatever is above both, or is that flow and above
 *    the effect, is half done.
 *
 * Boundary: it reads units as they are committed, one at a time. Of a tree of leaves it could not say which came first.
 */
import type {
  CarryOutPayload,
  CommitPayload,
  DispatchPayload,
  PolicyPayload,
  SagaPayload,
  SettlePayload,
  SignedIntent,
  WritPayload,
} from 'rubicon-kernel'
import type { Line, Report } from './report.ts'
import { RESERVED } from './reserved.ts'

type Effect = {
  readonly dfid: string
  status: 'open' | 'success' | 'failed' | 'over'
  /** By the number of the line; null: it has not been sent. */
  sentAt: number | null
  /** Taken back, or settled by a person with its flow. */
  isPutRight: boolean
}

type Flow = { readonly parent: string | undefined; readonly steps: 'one' | 'many' }

/** A flow that ended over an effect that failed. */
type Failure = { readonly dfid: string; readonly at: number; readonly effect: Effect }

const CLEAN: readonly string[] = ['COMPENSATED', 'SETTLED']

export class AuditedHalfJobs {
  readonly #report: Report
  readonly #flows = new Map<string, Flow>()
  readonly #effects = new Map<string, Effect>()
  readonly #reads = new Set<string>()
  readonly #failures: Failure[] = []
  /** Half done now, and ever. */
  readonly #dirty = new Set<string>()
  readonly #ever = new Set<string>()
  /** Half done by the unit that is read, and where it says so. */
  readonly #expected = new Map<string, string>()
  #lines = 0

  constructor(report: Report) {
    this.#report = report
  }

  add(line: Line): void {
    this.#lines += 1
    const { kind, payload } = line
    switch (kind) {
      case 'policy':
        this.#recordReads(payload as PolicyPayload)
        break
      case 'writ':
        this.#recordFlow(payload as WritPayload)
        break
      case 'accepted':
      case 'dispatch':
        this.#recordSend(kind, payload as DispatchPayload | CarryOutPayload)
        break
      case 'commit':
        this.#commit(line, payload as CommitPayload)
        break
      case 'settle':
        this.#settle(line, payload as SettlePayload)
        break
      case 'evidence':
        if ((payload as SagaPayload).source === 'saga') this.#move(line, payload as SagaPayload)
        break
    }
  }

  /** All entries of a unit were read. */
  endUnit(): void {
    for (const [dfid, place] of this.#expected)
      if (!this.#dirty.has(dfid)) this.#report('I11', `${place}: ${dfid} is half done, unsaid`)
    this.#expected.clear()
  }

  /** `heard`: flows of which somebody was told something. */
  finish(heard: ReadonlySet<string | undefined>): void {
    for (const dfid of this.#ever)
      if (!heard.has(dfid)) this.#report('I11', `${dfid} was half done, and nobody was ever told`)
  }

  #recordReads({ body }: PolicyPayload): void {
    const described =
      'rules_hash' in body
        ? body.capabilities.map(({ capability }) => capability)
        : body.action === 'capability'
          ? [body.capability]
          : []
    for (const { kind, effect } of described) if (effect === 'read') this.#reads.add(kind)
  }

  #recordFlow({ flow }: WritPayload): void {
    if (flow === undefined) return
    this.#flows.set(flow.dfid, { parent: flow.parent_dfid, steps: flow.steps })
  }

  #recordSend(kind: 'accepted' | 'dispatch', payload: DispatchPayload | CarryOutPayload): void {
    const id = 'intent' in payload ? payload.intent.intent_id : payload.intent_id
    if ('intent' in payload && this.#isEffect(payload.intent))
      this.#effects.set(id, {
        dfid: payload.intent.dfid,
        status: 'open',
        sentAt: null,
        isPutRight: false,
      })
    const effect = this.#effects.get(id)
    if (kind === 'dispatch' && effect !== undefined) effect.sentAt ??= this.#lines
  }

  #isEffect({ policy_kind, compensation }: SignedIntent): boolean {
    if (compensation !== undefined || RESERVED.includes(policy_kind)) return false
    return !this.#reads.has(policy_kind)
  }

  #commit(line: Line, { intent_id, compensates }: CommitPayload): void {
    const undone = this.#effects.get(compensates ?? '')
    if (undone !== undefined) undone.isPutRight = true
    const effect = this.#effects.get(intent_id)
    if (effect === undefined) return
    effect.status = 'success'
    if (effect.isPutRight) return
    // H3
    for (const { dfid, at, effect: failed } of this.#failures) {
      if (failed.isPutRight || dfid === effect.dfid || at < (effect.sentAt ?? at)) continue
      if (this.#isBelow(effect.dfid, dfid)) this.#expect(dfid, line)
      const above = this.#flows.get(dfid)?.parent
      if (above !== undefined && effect.dfid !== above && this.#isBelow(effect.dfid, above))
        this.#expect(above, line)
    }
  }

  #settle(line: Line, { intent_id, status }: SettlePayload): void {
    const effect = this.#effects.get(intent_id)
    if (effect === undefined) return
    if (status === 'ABANDONED') effect.status = 'over'
    if (status !== 'FAILED') return
    effect.status = 'failed'
    const { dfid } = effect
    const above = this.#flows.get(dfid)?.parent
    const isPartial = this.#isAnythingLeft(dfid)
    if (isPartial) this.#expect(dfid, line) // H1
    if (above !== undefined && this.#isAnythingLeft(above, dfid)) this.#expect(above, line) // H2
    // One of several steps that failed before anything was done ends nothing.
    if (isPartial || this.#flows.get(dfid)?.steps === 'one')
      this.#failures.push({ dfid, at: this.#lines, effect })
  }

  #move({ dfid = '' }: Line, { status, settles = [] }: SagaPayload): void {
    for (const id of settles) {
      const effect = this.#effects.get(id)
      if (effect !== undefined) effect.isPutRight = true
    }
    if (CLEAN.includes(status)) this.#dirty.delete(dfid)
    else {
      this.#dirty.add(dfid)
      this.#ever.add(dfid)
    }
  }

  #expect(dfid: string, { trajectory, seq }: Line): void {
    this.#expected.set(dfid, `${trajectory}/${seq}`)
  }

  /** Whether something stands that the flow did, or one below it; what `except` did itself does not count. */
  #isAnythingLeft(root: string, except?: string): boolean {
    return [...this.#effects.values()].some(
      ({ dfid, status, isPutRight }) =>
        status === 'success' && !isPutRight && dfid !== except && this.#isBelow(dfid, root),
    )
  }

  /** Itself included. */
  #isBelow(dfid: string, root: string): boolean {
    for (let at: string | undefined = dfid; at !== undefined; at = this.#flows.get(at)?.parent)
      if (at === root) return true
    return false
  }
}
