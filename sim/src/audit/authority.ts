/**
 * I5: nothing is dispatched after, in the order of the tree, its authority has ended, and no flow is
 * pinned to a contract whose time has not come.
 */
import type {
  ContractPayload,
  LifecyclePayload,
  RevocationPayload,
  SignedIntent,
  Writ,
  WritPayload,
} from 'rubicon-kernel'
import type { Line, Report } from './report.ts'

type Deployed = {
  readonly contract: ContractPayload['body']['contract']
  /** Of an instance: the hash of its class's contract. */
  readonly of: string | null
  /** Of an instance that an agent spawned: when it ends at the latest. */
  readonly ends_at?: string
  revoked: boolean
}

export class AuditedAuthority {
  readonly writs: Map<string, Writ> = new Map()
  readonly contracts: Map<string, Deployed> = new Map()
  readonly #statuses = new Map<string, string>()
  readonly #revoked = new Set<string>()
  /** By flow: its own writ. */
  readonly #flows = new Map<string, string>()
  readonly #report: Report
  #seq = -1

  constructor(report: Report) {
    this.#report = report
  }

  add(line: Line): void {
    if (line.kind === 'writ') {
      const { writ, flow } = line.payload as WritPayload
      this.writs.set(writ.id, writ)
      if (flow !== undefined) this.#flows.set(flow.dfid, writ.id)
      const { effective_from = '' } = this.contracts.get(flow?.contract.hash ?? '')?.contract ?? {}
      if (effective_from > line.at)
        this.#report(
          'I5',
          `${flow?.dfid} is pinned to a contract that holds from ${effective_from}`,
        )
    }
    if (line.trajectory !== 'authority') return
    this.#seq = line.seq
    if (line.kind === 'contract') this.#deploy(line.payload as ContractPayload)
    if (line.kind === 'lifecycle') {
      const { agent_id, from, to } = (line.payload as LifecyclePayload).body
      if ((this.#statuses.get(agent_id) ?? null) !== from)
        this.#report('I5', `${agent_id} moves from ${from}, but is ${this.#statuses.get(agent_id)}`)
      this.#statuses.set(agent_id, to)
    }
    if (line.kind === 'revocation') this.#revoke(line.payload as RevocationPayload)
  }

  getStatus(agent: string): string | undefined {
    return this.#statuses.get(agent)
  }

  /** It was not stopped, and has a contract to work under. */
  isServed(agent: string, now: string): boolean {
    return this.getStatus(agent) !== 'SUSPENDED' && this.#isInForce(agent, now)
  }

  /** A flow can be opened for it: of an instance its class is not stopped either. */
  isOpenable(agent: string, now: string): boolean {
    const of = this.findContract(agent)?.instance_of
    return this.isServed(agent, now) && (of === undefined || this.isServed(of, now))
  }

  #isInForce(agent: string, now: string): boolean {
    return [...this.contracts].some(
      ([hash, { contract }]) =>
        contract.agent_id === agent && this.#isStanding(hash) && contract.effective_from <= now,
    )
  }

  /** Every version that an agent ever had. */
  listContracts(agent: string): readonly Deployed['contract'][] {
    return [...this.contracts.values()].flatMap(({ contract }) =>
      contract.agent_id === agent ? [contract] : [],
    )
  }

  /** The latest of an agent. */
  findContract(agent: string): Deployed['contract'] | undefined {
    return this.#findLatest(agent)?.contract
  }

  #findLatest(agent: string): Deployed | undefined {
    return [...this.contracts.values()].findLast(({ contract }) => contract.agent_id === agent)
  }

  #deploy({ body }: ContractPayload): void {
    const { contract, contract_hash } = body
    if (body.action === 'spawn') {
      const { of, occasion } = body
      const ends = occasion === undefined ? {} : { ends_at: occasion.ends_at }
      this.contracts.set(contract_hash, { contract, of, ...ends, revoked: false })
      return
    }
    if (body.revoke_previous)
      for (const other of this.contracts.values())
        if (other.contract.agent_id === contract.agent_id) other.revoked = true
    this.contracts.set(contract_hash, { contract, of: null, revoked: false })
  }

  /** An instance stands on its own contract and on that of its class. */
  #isStanding(hash: string): boolean {
    const deployed = this.contracts.get(hash)
    if (deployed === undefined || deployed.revoked) return false
    return deployed.of === null || this.#isStanding(deployed.of)
  }

  #revoke({ body: { target, id } }: RevocationPayload): void {
    this.#revoked.add(id)
    if (target === 'writ') return
    for (const deployed of this.contracts.values()) {
      const { agent_id, version } = deployed.contract
      const names = [agent_id, `${agent_id}@${version}`, `${agent_id}@v${version}`]
      if (names.includes(id)) deployed.revoked = true
    }
  }

  /** Called for every dispatch, the first and each that follows. */
  auditDispatch(line: Line, intent: SignedIntent): void {
    const { agent_id, contract_hash, writ_id, step_id } = intent
    const reportProblem = (detail: string): void =>
      this.#report('I5', `${line.trajectory}/${line.seq} dispatches ${step_id}: ${detail}`)
    const status = this.#statuses.get(agent_id)
    if (status !== 'ACTIVE') reportProblem(`${agent_id} is ${status}`)
    const { instance_of = agent_id } = this.contracts.get(contract_hash)?.contract ?? {}
    const ofClass = this.#statuses.get(instance_of)
    if (ofClass === 'SUSPENDED' || ofClass === 'RETIRED')
      reportProblem(`${instance_of} is ${ofClass}`)
    if (!this.#isStanding(contract_hash)) reportProblem('its contract is revoked')
    const { ends_at } = this.contracts.get(contract_hash) ?? {}
    if (ends_at !== undefined && line.at >= ends_at)
      reportProblem(`its instance ended at ${ends_at}`)
    if (line.authoritySeq !== this.#seq)
      reportProblem(`it saw authority ${line.authoritySeq} of ${this.#seq}`)
    // What is taken back stands on the flow that chose so.
    const own = this.#flows.get(intent.compensation?.dfid ?? intent.dfid)
    for (const { body } of [
      ...this.collectWritChain(writ_id),
      ...this.collectWritChain(own ?? writ_id),
    ])
      for (const name of [body.subject, this.findContract(body.subject)?.instance_of ?? ''])
        if (['SUSPENDED', 'RETIRED'].includes(this.#statuses.get(name) ?? ''))
          reportProblem(`${name}, who delegated it, is ${this.#statuses.get(name)}`)
    if (own !== undefined && this.collectWritChain(own).some(({ id }) => this.#revoked.has(id)))
      reportProblem('the writ of its flow is revoked')
    for (const writ of this.collectWritChain(writ_id)) {
      if (this.#revoked.has(writ.id)) reportProblem('its writ is revoked')
      if (line.at >= writ.body.window.expires_at) reportProblem('its writ has expired')
      if (line.at < writ.body.window.not_before) reportProblem('its writ is not valid yet')
    }
  }

  /** Called for the first dispatch of an intent. */
  /** `before`: the end of this send; that of the intent for a first one. */
  auditDeadline(line: Line, { step_id }: SignedIntent, before: string): void {
    if (line.at >= before)
      this.#report('I5', `${line.trajectory}/${line.seq} dispatches ${step_id} too late`)
  }

  collectWritChain(leaf: string): readonly Writ[] {
    const writs: Writ[] = []
    for (let id: string | undefined = leaf; id !== undefined; ) {
      const writ = this.writs.get(id)
      if (writ === undefined) {
        this.#report('I5', `writ ${id} is nowhere in the ledger`)
        return writs
      }
      writs.push(writ)
      id = writ.body.parent
    }
    return writs
  }
}
