/**
 * Semantic audit: what was carried out is looked at once more, by somebody who reads meaning.
 *
 * U1 nothing waits for an auditor; each works at its own pace, a batch at a time.
 * U2 it goes through the ledger in tree order. Its findings and how far it has come are one unit, so
 *    that every step has one finding of each auditor, whoever is killed when.
 * U3 an answer that is late, incomplete or about something else is none: the batch is shown again,
 *    later each time.
 * U4 how far it has come is on record before it is asked for the first time: what it has not seen is not archived,
 *    also where it never answers.
 * U5 what an auditor asked a model stands in the flow of the step, in the unit of the finding; where there is no
 *    finding, in one of its own. So one step is asked about at a time: what another flow says is not beside it.
 */
import { computeBackoffMs, formatInstant, LIMITS } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { AuditFinding, SemanticAuditor } from '../../ports/semantic-auditor.ts'
import type { Write } from '../../ports/store.ts'
import type { AuthorityCache } from '../authority/authority-cache.ts'
import type { Deps } from '../deps.ts'
import { askOutside, type OutsideAnswer } from '../rows/ask-outside.ts'
import { Cutoff } from '../rows/cutoff.ts'
import { buildNotErasedGuard } from '../rows/erased-flow.ts'
import { type AdviceDeps, type AskedQuestion, QuestionSheet } from './ask-model.ts'
import { type FoundSteps, findSteps } from './audited-steps.ts'
import { buildOpinionWrite } from './opinion.ts'
import { parseAuditFindings } from './parse-finding.ts'
import { buildQuestionWrites, QuestionLog } from './question-log.ts'

const CURSORS = 'auditors'

/** How one auditor is doing, in this process. */
type Pace = {
  readonly auditor: SemanticAuditor
  working: Promise<void> | null
  failures: number
  /** Not asked again before, by the monotonic clock. */
  notBefore: number
  /** Looked through, with nothing to review: no need to read it again. */
  leaf: number
}

type Review = {
  readonly said: OutsideAnswer<readonly AuditFinding[]>
  readonly questions: readonly AskedQuestion[]
}

export class Auditors {
  readonly #deps: AdviceDeps
  readonly #paces: readonly Pace[]
  readonly #cutoff = new Cutoff()
  readonly #log: QuestionLog

  constructor(deps: Deps, authorities: AuthorityCache) {
    this.#deps = { ...deps, authorities }
    this.#log = new QuestionLog(deps)
    this.#paces = (deps.auditors ?? []).map((auditor) => ({
      auditor,
      working: null,
      failures: 0,
      notBefore: 0,
      leaf: 0,
    }))
  }

  /** Sets every auditor to work that rests. It does not wait for any. */
  round(): void {
    const now = this.#deps.clock.monotonic()
    for (const pace of this.#paces) {
      if (pace.working !== null || now < pace.notBefore) continue
      pace.working = this.#work(pace)
        // A store or a registry that fails says so to everybody else.
        .catch(() => this.#recordFailure(pace))
        .finally(() => {
          pace.working = null
        })
    }
  }

  /** Waits until every auditor rests. */
  async awaitSettled(): Promise<void> {
    for (const { working } of this.#paces) await working
  }

  async stop(): Promise<void> {
    this.#cutoff.end()
    await this.awaitSettled()
    await this.#log.flush()
  }

  /** Batch after batch, until there is none. */
  async #work(pace: Pace): Promise<void> {
    const { store } = this.#deps
    const { auditor } = pace
    await this.#log.flush()
    // Where others write too, what was carried out just now has no place in the tree yet.
    await store.integrate()
    for (;;) {
      const cursor = await store.readRecord('audit_cursor', CURSORS, auditor.name)
      const from = Math.max(cursor?.body.leaf ?? 0, pace.leaf)
      const steps = await findSteps(this.#deps, from, auditor.alone ? 1 : LIMITS.auditSteps)
      if (steps.found.length === 0) {
        pace.leaf = steps.next
        return
      }
      if (cursor === null) {
        await this.#begin(auditor.name)
        continue
      }
      const { said, questions } = await this.#ask(auditor, steps)
      if (said.kind !== 'said') {
        await this.#recordUnheard(auditor.name, steps, questions)
        if (said.kind !== 'stopped') this.#recordFailure(pace)
        return
      }
      pace.failures = 0
      await this.#record(auditor.name, cursor, steps, said.value, questions)
    }
  }

  /** Another engine may have been faster: then its cursor stands. */
  async #begin(auditor: string): Promise<void> {
    const place = { record: 'audit_cursor', group: CURSORS, key: auditor } as const
    await this.#deps.store.commit({
      guards: [{ kind: 'record_version', ...place, version: null }],
      writes: [{ kind: 'put_record', ...place, body: { leaf: 0 } }],
    })
  }

  async #ask(auditor: SemanticAuditor, { found }: FoundSteps): Promise<Review> {
    const shown = found.map(({ step }) => step)
    const [first] = shown
    const adviser = { kind: 'auditor', name: auditor.name } as const
    const sheet =
      auditor.alone && first !== undefined
        ? new QuestionSheet(this.#deps, { adviser, agent_id: first.agent_id, dfid: first.dfid })
        : null
    const said = await askOutside(this.#deps.clock, this.#cutoff, {
      ms: LIMITS.auditMs,
      ask: async (signal) =>
        auditor.review(structuredClone(shown), signal, sheet?.createAsk(signal)),
      read: (answer) => parseAuditFindings(answer, shown),
    })
    return { said, questions: (await sheet?.listAsked()) ?? [] }
  }

  /** What was asked and led to no finding. What was not sent is asked again, and is nothing yet. */
  async #recordUnheard(
    auditor: string,
    { found: [one] }: FoundSteps,
    questions: readonly AskedQuestion[],
  ): Promise<void> {
    if (one === undefined) return
    await this.#log.record({
      adviser: { kind: 'auditor', name: auditor },
      subject: one.subject,
      questions: questions.filter(({ isSent }) => isSent),
      opinion: 'none',
    })
  }

  /** Where another engine was faster, its findings stand and these are dropped. */
  async #record(
    auditor: string,
    cursor: StoredRecord<'audit_cursor'>,
    { found, next }: FoundSteps,
    findings: readonly AuditFinding[],
    questions: readonly AskedQuestion[],
  ): Promise<void> {
    const { store, clock, failpoints, telemetry } = this.#deps
    const at = formatInstant(clock.now())
    const place = { record: 'audit_cursor', group: CURSORS, key: auditor } as const
    const writes = findings.flatMap((finding, i): readonly Write[] => {
      const subject = found[i]?.subject
      if (subject === undefined) return []
      const { verdict } = finding
      const opinion = verdict === 'no_opinion' ? 'none' : verdict
      const adviser = { kind: 'auditor', name: auditor } as const
      return [
        // There are questions only where there is one step.
        ...buildQuestionWrites(this.#deps, { adviser, subject, questions, opinion }),
        ...this.#buildFindingWrites(auditor, subject, finding, at),
      ]
    })
    await failpoints.reach('audit.before_commit')
    const subjects = new Set(found.map(({ subject }) => subject.dfid))
    const outcome = await store.commit({
      guards: [
        { kind: 'record_version', ...place, version: cursor.version },
        ...[...subjects].map(buildNotErasedGuard),
      ],
      writes: [...writes, { kind: 'put_record', ...place, body: { leaf: next } }],
    })
    if (!outcome.ok) return this.#recordUnheard(auditor, { found, next }, questions)
    await failpoints.reach('audit.after_commit')
    for (const { verdict } of findings)
      telemetry?.count('rubicon_audit_findings_total', { outcome: verdict })
  }

  #buildFindingWrites(
    auditor: string,
    subject: FoundSteps['found'][number]['subject'],
    { verdict, why }: AuditFinding,
    at: string,
  ): readonly Write[] {
    const { dfid, step_id } = subject
    const said = { source: 'auditor', finding: verdict, by: auditor, why } as const
    return [
      buildOpinionWrite(this.#deps, subject, said),
      {
        kind: 'put_record',
        record: 'finding',
        group: dfid,
        key: `${auditor} ${step_id}`,
        body: { auditor, step_id, verdict, at },
      },
    ]
  }

  #recordFailure(pace: Pace): void {
    const { clock, telemetry } = this.#deps
    pace.failures += 1
    pace.notBefore = clock.monotonic() + computeBackoffMs(pace.failures)
    telemetry?.count('rubicon_audit_findings_total', { outcome: 'failed' })
  }
}
