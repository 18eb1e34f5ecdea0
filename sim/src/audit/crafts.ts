/** I28 and I29: artifacts and branches, entry by entry. */
import type {
  AcceptedPayload,
  CarryOutPayload,
  CommitPayload,
  Contract,
  DispatchPayload,
  PolicyPayload,
  ResendPayload,
  SettlePayload,
  SignedIntent,
  WritPayload,
} from 'rubicon-kernel'
import type { ArtifactsView } from './artifact-files.ts'
import { AuditedArtifacts } from './artifacts.ts'
import type { BranchedCommits } from './branched-commits.ts'
import { AuditedBranches } from './branches.ts'
import type { Line, Report } from './report.ts'
import { listCapabilityRecords } from './rules.ts'
import type { AuditedWorlds } from './worlds.ts'

export type CraftOptions = {
  readonly findContract: (hash: string) => Contract | undefined
  /** Null: the seed has none. */
  readonly artifacts: ArtifactsView | null
}

export class AuditedCrafts {
  readonly #branches: AuditedBranches
  readonly #artifacts: AuditedArtifacts | null
  readonly #commits: BranchedCommits
  readonly #intents = new Map<string, SignedIntent>()
  #last = ''

  constructor(
    report: Report,
    { commits }: AuditedWorlds,
    { findContract, artifacts: view }: CraftOptions,
  ) {
    this.#branches = new AuditedBranches(report)
    this.#commits = commits
    const findScope = (hash: string): readonly string[] => {
      const set = findContract(hash)?.permissions.resources?.symbols ?? []
      return 'allow' in set ? set.allow : set
    }
    this.#artifacts = view === null ? null : new AuditedArtifacts(report, findScope, view)
  }

  /** Somebody has saved a file. */
  recordEdit(name: string, bytes: Uint8Array): void {
    this.#artifacts?.files.recordEdit(name, bytes)
  }

  /** Somebody reads the files in the middle of a write. */
  auditWhole(): void {
    this.#artifacts?.auditWhole()
  }

  add(line: Line): void {
    this.#last = `${line.trajectory}/${line.seq}`
    switch (line.kind) {
      case 'policy':
        this.#recordCapabilities(line.payload as PolicyPayload)
        break
      case 'writ':
        this.#branches.auditOpening(line, line.payload as WritPayload)
        break
      case 'branch':
        this.#artifacts?.startBranch(line.trajectory, this.#commits.listBefore(line.trajectory))
        break
      case 'accepted':
      case 'dispatch':
      case 'resend':
        this.#auditSend(line)
        break
      case 'settle':
      case 'commit':
        this.#auditOutcome(line)
        break
    }
  }

  #recordCapabilities({ body }: PolicyPayload): void {
    const records = listCapabilityRecords(body)
    this.#branches.recordCapabilities(records.map(({ capability }) => capability))
  }

  #auditOutcome(line: Line): void {
    const outcome = line.payload as SettlePayload | CommitPayload
    const intent = this.#intents.get(outcome.intent_id)
    if (intent === undefined) return
    if ('status' in outcome) this.#artifacts?.auditSettle(line, intent, outcome)
    else this.#artifacts?.auditCommit(line, intent, outcome)
  }

  #auditSend(line: Line): void {
    const payload = line.payload as
      | AcceptedPayload
      | DispatchPayload
      | CarryOutPayload
      | ResendPayload
    if ('intent' in payload) this.#intents.set(payload.intent.intent_id, payload.intent)
    const id = 'intent' in payload ? payload.intent.intent_id : findIntentId(payload)
    const intent = this.#intents.get(id)
    if (intent === undefined) return
    this.#branches.auditDecision(line, intent)
    if (line.kind !== 'accepted') this.#artifacts?.auditDispatch(intent)
  }

  /** A unit is durable. */
  endUnit(): void {
    this.#artifacts?.endUnit(this.#last)
  }

  finish(): void {
    this.#artifacts?.finish()
  }
}

function findIntentId(payload: CarryOutPayload | ResendPayload): string {
  return 'body' in payload ? payload.body.intent_id : payload.intent_id
}
