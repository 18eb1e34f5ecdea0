/**
 * I1, for what asked for somebody: an effect whose trace names triggers was approved before, by enough
 * people who may, about these bytes, in time, and once.
 *
 * I19: no two persons' decision comes from one person. Humans are counted, by what the world knows of
 * them; the names and ids in the ledger are only how they came.
 */
import type {
  AcceptedPayload,
  ApprovalPayload,
  Contract,
  EscalationRequest,
  Facts,
  JsonValue,
  JudgedModification,
  KeyPayload,
  SignedIntent,
} from 'rubicon-kernel'
import { AuditedApproverKeys } from './approver-keys.ts'
import { isQuorum, isWindow } from './as-contract-says.ts'
import { computeAddress, toCanonicalJson } from './bytes.ts'
import { findHuman } from './humans.ts'
import type { Line, Report } from './report.ts'

type Body = ApprovalPayload['body']

type Asked = {
  /** As it was put before somebody last. */
  request: EscalationRequest
  /** As it was shown; undefined: the flow itself was asked about. */
  readonly proposal: JsonValue | undefined
  readonly approvals: Body[]
  /** As what it was approved last. */
  weighed: Weighed
  /** What ended it, or let it run. */
  decided: Body['decision'] | null
  releases: string | null
  used: boolean
}

type Weighed = Pick<
  JudgedModification,
  'impact' | 'impact_reasons' | 'exposure' | 'acknowledge' | 'not_before'
>

type Ran = Pick<AcceptedPayload, 'intent' | 'trace' | 'proposal'>

export class AuditedApprovals {
  readonly #asked = new Map<string, Asked>()
  readonly #keys = new AuditedApproverKeys()
  readonly #report: Report
  readonly #contractOf: (agent: string) => Contract | undefined

  constructor(report: Report, contractOf: (agent: string) => Contract | undefined) {
    this.#report = report
    this.#contractOf = contractOf
  }

  recordKey(payload: KeyPayload): void {
    this.#keys.add(payload)
  }

  /** The same request may be put before somebody else. */
  auditRequest(line: Line): void {
    const { request, proposal, facts } = line.payload as {
      readonly request: EscalationRequest
      readonly proposal?: JsonValue
      readonly facts?: Facts
    }
    this.#markUsed(facts)
    const known = this.#asked.get(request.id)
    if (!isQuorum(request, this.#contractOf(request.agent_id)))
      this.#reportProblem(line, `${request.id} asks others than the contract names`)
    if (known === undefined) {
      if (!isWindow(request, this.#contractOf(request.agent_id), line.at))
        this.#reportProblem(line, `${request.id} waits longer or shorter than the contract says`)
      const fresh = { approvals: [], decided: null, releases: null, used: false }
      this.#asked.set(request.id, { request, proposal, weighed: request, ...fresh })
    } else if (known.decided !== null || !isPutBefore(known.request, request))
      this.#reportProblem(line, `${request.id} is asked again`)
    else known.request = request
  }

  auditDecision(line: Line): void {
    const payload = line.payload as ApprovalPayload
    const { body, releases } = payload
    const unkeyed = this.#keys.findProblem(payload)
    if (unkeyed !== null) this.#reportProblem(line, unkeyed)
    const known = this.#asked.get(body.request_id)
    if (known === undefined) {
      this.#reportProblem(line, `${body.request_id} was never asked`)
      return
    }
    const { request } = known
    if (known.decided !== null)
      this.#reportProblem(line, `${request.id} was ${known.decided} before`)
    if (body.intent_digest !== request.intent_digest)
      this.#reportProblem(line, 'it is about other bytes')
    if (body.shown_snapshot !== request.shown_snapshot)
      this.#reportProblem(line, 'it saw other facts')
    if (body.decision === 'EXPIRED' ? line.at < request.expires_at : line.at >= request.expires_at)
      this.#reportProblem(line, `${body.decision} at ${line.at}, it ends at ${request.expires_at}`)
    if (body.decision === 'ABORT' || body.decision === 'EXPIRED') known.decided = body.decision
    else this.#auditApproval(line, known, body, releases)
  }

  #auditApproval(line: Line, known: Asked, body: Body, releases: string | null): void {
    const { request } = known
    const { approver } = body
    const { modification } = line.payload as ApprovalPayload
    const weighed = body.decision === 'MODIFY' ? modification : request
    if (weighed === undefined) this.#reportProblem(line, 'what it was modified into was not judged')
    else
      for (const problem of this.#findApproverProblems(line, known, body, weighed))
        this.#reportProblem(line, problem)
    if (modification !== undefined)
      for (const problem of findJudgementProblems(body, modification))
        this.#reportProblem(line, problem)
    known.weighed = weighed ?? request
    known.approvals.push(body)
    if (releases === null && request.kind === 'proposal') {
      if (approver.startsWith('agent:')) this.#reportProblem(line, 'a parent alone is enough')
      return
    }
    const humans = new Set(known.approvals.map((one) => findHuman(one.approver)))
    // Without a proposal nothing is released: its flow waits until enough have said so.
    if (releases === null && humans.size < request.needs) return
    if (humans.size < request.needs)
      this.#reportProblem(line, `${humans.size} of ${request.needs} release it`, 'I19')
    known.decided = body.decision
    known.releases = releases
  }

  #findApproverProblems(
    line: Line,
    { request, approvals }: Asked,
    body: Body,
    weighed: Weighed,
  ): readonly string[] {
    const { approver, acknowledged_impact, acknowledgement, valid_until = '' } = body
    const found: string[] = []
    if (line.at >= valid_until) found.push('it was over when it came')
    const human = findHuman(approver)
    if (approvals.some((other) => findHuman(other.approver) === human))
      this.#reportProblem(line, `${approver} approves twice`, 'I19')
    const isAgent = approver.startsWith('agent:')
    if (isAgent ? request.channel !== approver : !isListed(request, human))
      found.push(`${approver} was not asked`)
    if (isAgent && (request.needs > 1 || request.approvers.length > 0))
      found.push('an agent takes the place of people whom the contract names')
    if (weighed.impact !== 'HIGH_IMPACT') return found
    if (isAgent) return isUnrated(weighed) ? found : [...found, 'an agent lets through much']
    const contract = this.#contractOf(request.agent_id)
    const isOwner = human === findHuman(contract?.owner ?? '')
    const isAllowed = contract?.safety_rules.self_approval === 'allowed'
    if (isOwner && !isAllowed) this.#reportProblem(line, `${approver} is its owner`, 'I19')
    if (isOwner && isAllowed && (line.payload as ApprovalPayload).self_approval === undefined)
      found.push(`${approver} is its owner, and the approval does not say so`)
    if (line.at < weighed.not_before) found.push('nobody reads that fast')
    if (acknowledged_impact !== weighed.impact) found.push('the impact was not acknowledged')
    if (acknowledgement !== weighed.acknowledge) found.push('other words were typed')
    return found
  }

  /** With the entry that decides what runs. */
  auditRun(line: Line, { intent, trace, proposal }: Ran): void {
    if (intent.compensation !== undefined) return
    const held = [...this.#asked.values()].find(
      ({ request, decided }) =>
        request.dfid === intent.dfid && request.kind !== 'proposal' && decided === null,
    )
    if (held !== undefined) this.#reportProblem(line, `${held.request.id} waits for somebody`)
    const triggers = trace.flatMap((one) => one.triggers ?? []).map(({ id }) => id)
    const { approval } = intent
    if (approval === undefined) {
      if (triggers.length > 0) this.#reportProblem(line, `${triggers} asked for somebody`)
      return
    }
    const known = this.#asked.get(approval.request_id)
    const last = known?.approvals.at(-1)
    if (known === undefined || last === undefined || known.releases === null) {
      this.#reportProblem(line, 'nobody approved it')
      return
    }
    if (known.used)
      this.#reportProblem(line, `the approval of ${approval.request_id} was used before`)
    known.used = true
    if (known.decided === 'ABORT' || known.decided === 'EXPIRED')
      this.#reportProblem(line, `it was ${known.decided}`)
    this.auditDeadline(line, intent)
    const left = triggers.filter((id) => !last.lifts.includes(id))
    if (left.length > 0) this.#reportProblem(line, `${left} was not lifted`)
    const problem =
      findBytesProblem(known, last, intent, proposal) ?? findWeightProblem(known, trace)
    if (problem !== null) this.#reportProblem(line, problem)
  }

  /** Also when an executor comes to it later. */
  auditDeadline(line: Line, { approval }: SignedIntent): void {
    if (approval === undefined) return
    const ends = (this.#asked.get(approval.request_id)?.approvals ?? []).map(
      ({ valid_until = '' }) => valid_until,
    )
    for (const end of ends)
      if (line.at >= end)
        this.#reportProblem(line, `dispatched at ${line.at}, approved until ${end}`)
  }

  /** Whatever a release led to, it was one. */
  auditRefusal(facts: Facts | undefined): void {
    this.#markUsed(facts)
  }

  #markUsed(facts: Facts | undefined): void {
    const known = this.#asked.get(facts?.approval?.request_id ?? '')
    if (known !== undefined) known.used = true
  }

  #reportProblem({ trajectory, seq }: Line, detail: string, invariant: 'I1' | 'I19' = 'I1'): void {
    this.#report(invariant, `${trajectory}/${seq}: ${detail}`)
  }
}

/** Nobody said how much is at stake: agents above may be asked first. */
function isUnrated({ impact_reasons }: Weighed): boolean {
  return toCanonicalJson(impact_reasons) === '["irreversible"]'
}

/** Before somebody else, who has not read it sooner. */
function isPutBefore(known: EscalationRequest, request: EscalationRequest): boolean {
  const { channel, not_before } = request
  return (
    toCanonicalJson({ ...known, channel, not_before }) === toCanonicalJson(request) &&
    known.not_before <= not_before
  )
}

function isListed({ approvers }: EscalationRequest, human: string): boolean {
  return approvers.length === 0 || approvers.some((one) => findHuman(one) === human)
}

/** It is about what is released, for whoever approves it, and what they signed names it. */
function findJudgementProblems(body: Body, judged: JudgedModification): readonly string[] {
  const found: string[] = []
  if (computeAddress('modification', toCanonicalJson(judged)) !== body.modification)
    found.push('another judgement is named')
  const { person = body.approver } = body
  if (judged.request_id !== body.request_id || judged.judged_for !== person)
    found.push('it was judged for somebody else')
  return found
}

/** Judged as little, it is little on the facts on which it runs. */
function findWeightProblem(
  { request, weighed }: Asked,
  trace: AcceptedPayload['trace'],
): string | null {
  const { impact, exposure } = weighed
  if (impact !== 'LOW_IMPACT' || exposure === null) return null
  const measures = trace.find(({ stage }) => stage === 'preconditions')?.measures ?? {}
  const value = Math.abs(Number(measures[exposure.measure] ?? Number.NaN))
  const { of_kind = 0, largest = null } = request.past ?? {}
  const usual = of_kind === 0 || largest === null || value <= 10 * Math.abs(Number(largest))
  return value <= Number(exposure.threshold) && usual ? null : 'more runs than was judged'
}

/** What runs is what was shown, or what a person put in its place. */
function findBytesProblem(
  { request, proposal: shown, releases }: Asked,
  { decision, modified }: Body,
  intent: SignedIntent,
  proposal: JsonValue | undefined,
): string | null {
  if (decision === 'OVERRIDE') {
    if (toCanonicalJson(proposal) !== toCanonicalJson(shown))
      return 'other bytes run than were shown'
    return computeIntentDigest(intent) === request.intent_digest ? null : 'what runs was not shown'
  }
  if (toCanonicalJson(intent.params) !== toCanonicalJson(modified?.params))
    return 'it does not run as it was modified'
  return computeAddress('proposal', toCanonicalJson(proposal)) === releases
    ? null
    : 'another modification runs'
}

/** Everything that will run, by its definition. */
function computeIntentDigest(intent: SignedIntent): string {
  const { dfid, step_id, policy_kind, params, resources, constraints, proposal_hash } = intent
  const { contract_hash, capability_hash, rules_hash, snapshot_id, on_failure } = intent
  const work = { dfid, step_id, policy_kind, params, resources, constraints, proposal_hash }
  const proven = on_failure === undefined ? {} : { on_failure }
  const law = { contract_hash, capability_hash, rules_hash, snapshot_id, ...proven }
  return computeAddress('intent-digest', toCanonicalJson({ ...work, ...law }))
}
