/**
 * Semantic audit: what was carried out is looked at once more, by somebody who reads meaning.
 *
 * U1 nothing waits for an auditor; each works at its own pace, a batch at a time.
 * U2 it goes through the ledger in tree order. Its findings and how far it has come are one unit, so
 *    that every step has one finding of each auditor, whoever is killed when.
 * U3 an answer that is late, incomplete or about something else is none: the batch is shown again,
 *    later each time.
 */
import { computeBackoffMs, formatInstant, LIMITS } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { AuditFinding, SemanticAuditor } from '../../ports/semantic-auditor.ts'
import type { Write } from '../../ports/store.ts'
import type { AuthorityCache } from '../authority/authority-cache.ts'
import type { Deps } from '../deps.ts'
import { askOutside } from '../rows/ask-outside.ts'
import { Cutoff } from '../rows/cutoff.ts'
import { buildNotErasedGuard } from '../rows/erased-flow.ts'
import { type FoundSteps, findSteps } from './audited-steps.ts'
import { buildOpinionWrite } from './opinion.ts'
import { parseAuditFindings } from './parse-finding.ts'

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

type Cursor = StoredRecord<'audit_cursor'> | null

export class Auditors {
  readonly #deps: Deps & { readonly authorities: AuthorityCache }
  readonly #paces: readonly Pace[]
  readonly #cutoff = new Cutoff()

  constructor(deps: Deps, authorities: AuthorityCache) {
    this.#deps = { ...deps, authorities }
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
  }

  /** Batch after batch, until there is none. */
  async #work(pace: Pace): Promise<void> {
    const { store, clock } = this.#deps
    const { auditor } = pace
    for (;;) {
      const cursor = await store.readRecord('audit_cursor', CURSORS, auditor.name)
      const steps = await findSteps(this.#deps, Math.max(cursor?.body.leaf ?? 0, pace.leaf))
      if (steps.found.length === 0) {
        pace.leaf = steps.next
        return
      }
      const shown = steps.found.map(({ step }) => step)
      const asked = await askOutside(clock, this.#cutoff, {
        ms: LIMITS.auditMs,
        ask: async (signal) => auditor.review(structuredClone(shown), signal),
        read: (answer) => parseAuditFindings(answer, shown),
      })
      if (asked.kind === 'stopped') return
      if (asked.kind !== 'said') return this.#recordFailure(pace)
      pace.failures = 0
      await this.#record(auditor.name, cursor, steps, asked.value)
    }
  }

  /** Where another engine was faster, its findings stand and these are dropped. */
  async #record(
    auditor: string,
    cursor: Cursor,
    { found, next }: FoundSteps,
    findings: readonly AuditFinding[],
  ): Promise<void> {
    const { store, clock, failpoints, telemetry } = this.#deps
    const at = formatInstant(clock.now())
    const place = { record: 'audit_cursor', group: CURSORS, key: auditor } as const
    const writes = findings.flatMap((finding, i): readonly Write[] => {
      const subject = found[i]?.subject
      return subject === undefined ? [] : this.#buildFindingWrites(auditor, subject, finding, at)
    })
    await failpoints.reach('audit.before_commit')
    const subjects = new Set(found.map(({ subject }) => subject.dfid))
    const outcome = await store.commit({
      guards: [
        { kind: 'record_version', ...place, version: cursor?.version ?? null },
        ...[...subjects].map(buildNotErasedGuard),
      ],
      writes: [...writes, { kind: 'put_record', ...place, body: { leaf: next } }],
    })
    if (!outcome.ok) return
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
