/**
 * I17: nobody acts through another's flow. What is decided in a flow was said by its own agent, or by
 * whoever was asked about that flow; a child is below a flow of its own agent, or was spawned there;
 * and the writ that it spends from is that of the flow above it.
 */
import type {
  AskedPayload,
  DecisionRecord,
  DelegationPayload,
  PendingApprovalPayload,
  SignedIntent,
  WritPayload,
} from 'rubicon-kernel'
import type { Line, Report } from './report.ts'

type Flow = {
  readonly agent: string
  readonly writ: WritPayload['writ']
  readonly parent: string | undefined
}

type Decided = Partial<DecisionRecord> & {
  readonly intent?: SignedIntent
  readonly intent_id?: string
}

const DECIDED: readonly string[] = ['accepted', 'dispatch', 'pending_approval']

export class AuditedOwnership {
  readonly #report: Report
  readonly #flows = new Map<string, Flow>()
  /** By request: the flow that it is about. */
  readonly #requests = new Map<string, string>()
  readonly #spawns = new Map<string, SignedIntent>()
  readonly #sent = new Set<string>()

  constructor(report: Report) {
    this.#report = report
  }

  add(line: Line): void {
    if (line.kind === 'writ') this.#auditOpening(line, line.payload as WritPayload)
    if (line.kind === 'delegation') this.#auditDelegation(line, line.payload as DelegationPayload)
    if (!DECIDED.includes(line.kind)) return
    if (line.kind === 'pending_approval') {
      const { request } = line.payload as PendingApprovalPayload | AskedPayload
      this.#requests.set(request.id, request.dfid)
    }
    this.#auditDecision(line, line.payload as Decided)
  }

  #auditOpening(line: Line, { flow, writ }: WritPayload): void {
    if (flow === undefined) return
    const { dfid, agent_id: agent, parent_dfid: parent } = flow
    this.#flows.set(dfid, { agent, writ, parent })
    if (writ.body.subject !== agent)
      this.#reportProblem(line, `${dfid} has the writ of another agent`)
    const above = parent === undefined ? undefined : this.#flows.get(parent)
    if (parent !== undefined && above === undefined)
      this.#reportProblem(line, `${parent} is not there`)
    if (writ.body.parent !== above?.writ.id)
      this.#reportProblem(line, `${dfid} spends from another flow than ${parent ?? 'its own'}`)
    if (above !== undefined && above.agent !== agent && !maySpawn(above))
      this.#reportProblem(line, `${agent} is below a flow of ${above.agent}, who may spawn nobody`)
  }

  #auditDelegation(line: Line, payload: DelegationPayload): void {
    const { parent_dfid, child_dfid, child_agent, opened_by } = payload
    if (opened_by === undefined) return
    const [above, below] = [this.#flows.get(parent_dfid), this.#flows.get(child_dfid)]
    if (line.dfid !== parent_dfid || below?.parent !== parent_dfid || below.agent !== child_agent)
      this.#reportProblem(line, `${child_dfid} is no child of ${parent_dfid}`)
    if (opened_by.kind === 'session' && above?.agent !== child_agent)
      this.#reportProblem(
        line,
        `a session of ${child_agent} opened below a flow of ${above?.agent}`,
      )
    if (opened_by.kind !== 'intent') return
    const step = this.#spawns.get(opened_by.intent_id)
    const isOwn = step?.dfid === parent_dfid && step.params.agent === child_agent
    if (!isOwn || !this.#sent.has(opened_by.intent_id))
      this.#reportProblem(line, `no step of ${parent_dfid} spawned ${child_dfid}`)
  }

  #auditDecision(line: Line, { intent, facts, intent_id }: Decided): void {
    if (intent?.policy_kind === 'SPAWN_CHILD') this.#spawns.set(intent.intent_id, intent)
    if (line.kind === 'dispatch') this.#sent.add(intent?.intent_id ?? intent_id ?? '')
    const agent = this.#flows.get(line.dfid ?? '')?.agent
    // What takes back is decided in the flow that chose so.
    if (intent !== undefined && intent.compensation === undefined && intent.agent_id !== agent)
      this.#reportProblem(line, `${intent.agent_id} acts in a flow of ${agent}`)
    if (facts === undefined || intent?.compensation !== undefined) return
    const { auth } = facts
    if (auth.kind === 'session' && auth.agent_id !== agent)
      this.#reportProblem(line, `a session of ${auth.agent_id} speaks in a flow of ${agent}`)
    if (auth.kind === 'signature' && (!auth.signature.valid || auth.signature.subject !== agent))
      this.#reportProblem(line, `the key of ${auth.signature.subject} speaks in a flow of ${agent}`)
    if (auth.kind === 'approval' && this.#requests.get(auth.request_id) !== line.dfid)
      this.#reportProblem(line, `${auth.approver} was asked about another flow`)
  }

  #reportProblem({ trajectory, seq }: Line, detail: string): void {
    this.#report('I17', `${trajectory}/${seq}: ${detail}`)
  }
}

/** Its own matching: the auditor shares nothing with the law of scopes. */
function maySpawn({ writ }: Flow): boolean {
  return writ.body.scopes.some(({ kind }) => {
    if (kind.endsWith('*')) return 'SPAWN_CHILD'.startsWith(kind.slice(0, -1))
    return kind === 'SPAWN_CHILD'
  })
}
