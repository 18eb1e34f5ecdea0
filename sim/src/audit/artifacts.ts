/**
 * I28: what is applied to artifacts was planned, is what was planned, was granted, and happens once; what a plan claims nobody else
 * plans, and is free when the plan is over; and what was planned on one text comes to the same, whoever was first.
 *
 * From the ledger and the texts alone: what a change writes is read from the two texts, by this auditor's own reading of them.
 */
import type { CommitPayload, DeltaOp, JsonValue, SettlePayload, SignedIntent } from 'rubicon-kernel'
import { type ArtifactsView, AuditedFiles } from './artifact-files.ts'
import { auditOrder } from './artifact-order.ts'
import type { Line, Report } from './report.ts'
import { listDifferent } from './symbols.ts'

type Known = {
  readonly content_hash: string
  readonly change: string
  readonly plans: readonly string[]
}
type Planned = {
  readonly symbols: readonly string[]
  readonly artifacts: readonly { readonly name: string }[]
  readonly until: string
}
type Shelf = { readonly known: Map<string, Known>; readonly plans: Map<string, Planned> }

/** What the contract lets somebody write, as patterns. */
export type FindScope = (contractHash: string) => readonly string[]

const MAIN = 'main'
const OVER: readonly SettlePayload['status'][] = ['SUCCESS', 'FAILED', 'ABANDONED']

export class AuditedArtifacts {
  readonly #report: Report
  readonly #findScope: FindScope
  readonly files: AuditedFiles
  readonly #shelves = new Map<string, Shelf>()
  /** Every plan that there ever was. */
  readonly #planned = new Map<string, Planned>()
  /** Writes of files that are under way, or that nobody knows the end of. */
  readonly #open = new Map<string, SignedIntent>()
  #isTouched = false

  constructor(report: Report, findScope: FindScope, view: ArtifactsView) {
    this.#report = report
    this.#findScope = findScope
    this.files = new AuditedFiles(report, view)
  }

  /** It begins with what the other had at that place; `before`: commits of the other up to there. */
  startBranch(trajectory: string, before: readonly CommitPayload[]): void {
    for (const { delta } of before) this.#apply(this.#getShelf(trajectory), delta)
  }

  auditDispatch(intent: SignedIntent): void {
    if (isWrite(intent)) this.#open.set(intent.intent_id, intent)
  }

  auditSettle(line: Line, intent: SignedIntent, settle: SettlePayload): void {
    if (!intent.policy_kind.startsWith('artifact.')) return
    this.#isTouched = true
    const { status, details } = settle
    if (this.#open.has(intent.intent_id) && status === 'MANUAL_REVIEW') this.#recordDoubtful(intent)
    if (OVER.includes(status)) this.#open.delete(intent.intent_id)
    if (details.code !== 'PLAN_CONFLICT' || !Array.isArray(details.candidates)) return
    for (const id of details.candidates) {
      const plan = this.#getShelf(line.trajectory).plans.get(String(id))
      if (plan === undefined || plan.until <= intent.staged_at)
        this.#report('I28', `${formatPlace(line)} is refused for a plan that is over: ${id}`)
    }
  }

  auditCommit(line: Line, intent: SignedIntent, { delta, settled_by }: CommitPayload): void {
    this.#open.delete(intent.intent_id)
    const isOurs = delta.some(({ kind }) => kind.startsWith('artifact'))
    if (!isOurs && !intent.policy_kind.startsWith('artifact.')) return
    this.#isTouched = true
    if (settled_by === 'person' && isWrite(intent)) this.#recordDoubtful(intent)
    const shelf = this.#getShelf(line.trajectory)
    const was = new Map(shelf.known)
    if (isApplied(intent)) this.#auditApplied(line, intent, shelf)
    this.#apply(shelf, delta)
    this.#auditPlans(line, intent, shelf)
    for (const [name, now] of shelf.known) this.#auditText(line, intent, name, was.get(name), now)
    if (intent.policy_kind === 'artifact.adopt')
      for (const name of new Set([...was.keys(), ...shelf.known.keys()]))
        if (was.get(name) !== shelf.known.get(name))
          this.files.recordAdopted(name, shelf.known.get(name)?.content_hash ?? null)
  }

  auditWhole(): void {
    this.files.auditWhole(this.#getShelf(MAIN).known)
  }

  /** Files are looked at between two writes alone. */
  endUnit(when: string): void {
    if (this.#isTouched && this.#open.size === 0)
      this.files.auditDisk(this.#getShelf(MAIN).known, when)
    this.#isTouched = false
  }

  finish(): void {
    this.files.finish(this.#getShelf(MAIN).known)
  }

  #getShelf(trajectory: string): Shelf {
    const shelf = this.#shelves.get(trajectory) ?? { known: new Map(), plans: new Map() }
    this.#shelves.set(trajectory, shelf)
    return shelf
  }

  #apply({ known, plans }: Shelf, delta: readonly DeltaOp[]): void {
    for (const op of delta) {
      const value = 'value' in op ? op.value : null
      if (op.kind === 'artifact') {
        if (op.op === 'retract') known.delete(op.id)
        else known.set(op.id, value as JsonValue & Known)
      }
      if (op.kind === 'artifact_plan') {
        if (op.op === 'retract') plans.delete(op.id)
        else plans.set(op.id, value as JsonValue & Planned)
        if (op.op === 'create') this.#planned.set(op.id, value as JsonValue & Planned)
      }
    }
  }

  /** What a person settled may be on the disk or not, yet not in part. */
  #recordDoubtful({ params }: SignedIntent): void {
    const plan = this.#planned.get(String(params.plan))
    if (plan === undefined) return
    const names = plan.artifacts.map(({ name }) => name)
    this.files.recordDoubtful({ names, symbols: plan.symbols })
  }

  #auditApplied(line: Line, intent: SignedIntent, { plans }: Shelf): void {
    const { params, staged_at, contract_hash } = intent
    const reportProblem = (detail: string): void =>
      this.#report('I28', `${formatPlace(line)} applies ${params.plan}: ${detail}`)
    const plan = plans.get(String(params.plan))
    if (plan === undefined) {
      reportProblem('it is no open plan')
      return
    }
    if (plan.until <= staged_at) reportProblem(`it was over at ${plan.until}`)
    if (!isSameSet(plan.symbols, params.symbols)) reportProblem('with other symbols')
    const scope = this.#findScope(contract_hash)
    for (const symbol of plan.symbols)
      if (!scope.some((pattern) => isMatch(pattern, symbol)))
        reportProblem(`nobody grants ${symbol}`)
  }

  /** Claims: one writer a symbol, and nothing of a plan that is not there any more. */
  #auditPlans(line: Line, intent: SignedIntent, { known, plans }: Shelf): void {
    const { params, staged_at, policy_kind } = intent
    const ended = policy_kind === 'artifact.plan' ? null : String(params.plan ?? '')
    if (ended !== null && plans.has(ended))
      this.#report('I28', `${formatPlace(line)}: ${ended} is over, and still claims`)
    for (const [name, { plans: claiming }] of known)
      if (ended !== null && claiming.includes(ended))
        this.#report('I28', `${formatPlace(line)}: ${ended} is over, and still stands at ${name}`)
    if (policy_kind !== 'artifact.plan' || intent.compensation !== undefined) return
    const owners = new Map<string, string>()
    for (const [id, { symbols, until }] of plans)
      for (const symbol of until > staged_at ? symbols : []) {
        if (owners.has(symbol))
          this.#report('I28', `${formatPlace(line)}: ${symbol} is planned by two at once`)
        owners.set(symbol, id)
      }
  }

  #auditText(
    line: Line,
    intent: SignedIntent,
    name: string,
    was: Known | undefined,
    now: Known,
  ): void {
    if (was?.content_hash === now.content_hash || intent.policy_kind === 'artifact.adopt') return
    const reportProblem = (detail: string): void =>
      this.#report('I28', `${formatPlace(line)} changes ${name}: ${detail}`)
    if (!isWriteKind(intent)) reportProblem('nobody applies anything')
    const before = this.files.findText(was?.content_hash ?? '')
    const after = this.files.findText(now.content_hash)
    if (before === null || after === null) {
      reportProblem('its text is not kept')
      return
    }
    const plan = this.#planned.get(String(intent.params.plan))
    for (const path of listDifferent(before, after)) {
      const symbol = `${name} ${path}`.trim()
      if (plan?.symbols.includes(symbol) !== true) reportProblem(`${symbol} was not planned`)
    }
    if (isApplied(intent))
      auditOrder(reportProblem, {
        after,
        change: now.change,
        find: (hash) => this.files.findText(hash),
      })
  }
}

function formatPlace({ trajectory, seq }: Line): string {
  return `${trajectory}/${seq}`
}

/** It applies a plan, or takes back what was applied. */
function isWriteKind({ capability }: SignedIntent): boolean {
  return capability.startsWith('artifact.apply@')
}

function isWrite(intent: SignedIntent): boolean {
  return isWriteKind(intent) && intent.trajectory === MAIN
}

function isApplied(intent: SignedIntent): boolean {
  return isWriteKind(intent) && intent.compensation === undefined
}

function isSameSet(a: readonly string[], b: unknown): boolean {
  return Array.isArray(b) && [...a].sort().join('\n') === [...b].sort().join('\n')
}

/** With a star at its end, everything that begins with it. */
function isMatch(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
