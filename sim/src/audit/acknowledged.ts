/** I4: what somebody was told is durable when they hear it, and still there at the end. */
import type {
  AcceptedPayload,
  CarryOutPayload,
  CommitPayload,
  DispatchPayload,
  GenerationPayload,
  PendingApprovalPayload,
  RejectionPayload,
  SettlePayload,
  WritPayload,
} from 'rubicon-kernel'
import type { Acknowledgement } from './acknowledgement.ts'
import type { Line, Report } from './report.ts'

export class Acknowledged {
  readonly #all: Acknowledgement[] = []
  readonly #report: Report

  constructor(report: Report) {
    this.#report = report
  }

  add(ack: Acknowledgement, ledger: ReadonlyMap<string, Line>): void {
    this.#all.push(ack)
    this.#check(ack, ledger)
  }

  finish(ledger: ReadonlyMap<string, Line>): void {
    for (const ack of this.#all) this.#check(ack, ledger)
  }

  #check(ack: Acknowledgement, ledger: ReadonlyMap<string, Line>): void {
    const problem = findAcknowledgementProblem(ack, ledger)
    if (problem !== null) this.#report('I4', problem)
  }
}

function findAcknowledgementProblem(
  ack: Acknowledgement,
  ledger: ReadonlyMap<string, Line>,
): string | null {
  switch (ack.kind) {
    case 'opened': {
      const line = ledger.get(`writ ${ack.writ}`)
      const found = (line?.payload as WritPayload | undefined)?.flow?.dfid === ack.dfid
      return found ? null : `flow ${ack.dfid} was opened, but is not in the ledger`
    }
    case 'revoked': {
      const line = ledger.get(`authority/${ack.seq}`)
      return line?.kind === 'revocation' ? null : `the revocation of ${ack.target} is gone`
    }
    case 'decided': {
      const name = `${ack.word} of ${ack.request} by ${ack.approver}`
      return ledger.has(name) ? null : `${name} was taken in, but is not in the ledger`
    }
    case 'generated': {
      const line = ledger.get(`generation ${ack.generation_id}`)
      const { finding, used } = (line?.payload ?? {}) as Partial<GenerationPayload>
      const isSame = line?.dfid === ack.dfid && JSON.stringify(used) === JSON.stringify(ack.used)
      return finding === 'answered' && isSame
        ? null
        : `${ack.generation_id} was answered, and the ledger says ${finding}`
    }
    case 'answered':
      return answerProblem(ack.answer, ledger)
  }
}

function answerProblem(
  {
    outcome,
    trace_id,
    dfid,
    reason_code,
    execution,
  }: Extract<Acknowledgement, { kind: 'answered' }>['answer'],
  ledger: ReadonlyMap<string, Line>,
): string | null {
  // Nothing was judged, so nothing was stored: the answer says so by naming no entry.
  if (trace_id === '') {
    // A bid is under way before anything is decided about it.
    const isBid = execution?.status === 'PENDING' && ledger.has(`event ${dfid}`)
    return outcome === 'REJECTED' || isBid ? null : `${outcome} names no entry`
  }
  const line = ledger.get(trace_id)
  if (line === undefined) return `${outcome} of ${dfid} names ${trace_id}, which is not there`
  if (line.dfid !== dfid) return `${trace_id} belongs to another flow`
  switch (outcome) {
    case 'ACCEPTED':
    case 'REPEATED': {
      const intentId = findIntentId(line)
      if (intentId === null) return `${trace_id} is a ${line.kind}`
      return findStatusProblem(execution?.status, ledger.get(`outcome ${intentId}`))
    }
    case 'ESCALATED': {
      const { request } = line.payload as PendingApprovalPayload
      return request?.dfid === dfid ? null : `${trace_id} holds no request`
    }
    case 'REJECTED':
    case 'EXHAUSTED': {
      if (line.kind === 'accepted') return findGivenBackProblem(line, reason_code, ledger)
      const { reason_code: code, domain_code, ended_flow } = line.payload as RejectionPayload
      // Whoever lost its authority hears what became of that, not only that the flow has ended.
      const ending = ended_flow === 'AUTHORITY_REVOKED' ? undefined : ended_flow
      const told = ending ?? domain_code ?? code
      return told === reason_code ? null : `${trace_id} says ${told}, the answer ${reason_code}`
    }
  }
}

/** The intent that an entry decides or dispatches. */
function findIntentId({ kind, payload }: Line): string | null {
  if (kind !== 'dispatch' && kind !== 'accepted') return null
  const read = payload as AcceptedPayload | DispatchPayload | CarryOutPayload
  return 'intent' in read ? read.intent.intent_id : read.intent_id
}

/** What was accepted and then refused after all: its last entry says why, and stays the last. */
function findGivenBackProblem(
  line: Line,
  told: string | undefined,
  ledger: ReadonlyMap<string, Line>,
): string | null {
  const last = ledger.get(`outcome ${findIntentId(line)}`)
  const { status, reason_code } = (last?.payload ?? {}) as Partial<SettlePayload>
  if (status !== 'ABANDONED') return `${told} was told of what was accepted and not given back`
  if (reason_code === told) return null
  return `it was given back for ${reason_code}, the answer says ${told}`
}

/** A settled outcome that was told can never become another. */
function findStatusProblem(told: string | undefined, last: Line | undefined): string | null {
  if (told !== 'SUCCESS' && told !== 'FAILED') return null
  if (told === 'SUCCESS') {
    const settled =
      last?.kind === 'commit' && (last.payload as CommitPayload).world_after !== undefined
    return settled ? null : 'a success was told, but is not committed'
  }
  const status = last?.kind === 'settle' ? (last.payload as SettlePayload).status : undefined
  return status === 'FAILED' ? null : `a failure was told, but it is ${status ?? last?.kind}`
}
