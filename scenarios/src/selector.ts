/**
 * One runtime, three ways of deciding at the same time. Which one a decision takes is said by its class, in the rules: rebalancing is thought about by
 * those whom a price wakes, scalping is done under atoms, settlements carry their proof. The same agent uses all three.
 */
import type { Answer, JsonObject, ProofCarryingIntent } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { ExpectedAnswer, Scenario, Stage } from '../../server/src/demo/stage.ts'
import { createProvingAgent, type ProvingAgent } from './proving-agent.ts'
import { createMesh, getWoken, type Mesh, speak } from './woken-flows.ts'

const DESK = 'desk_agent'
const RISK = 'agent_risk'
const PRICE = 'market.price.ACME'
const KINDS = ['REBALANCE', 'SCALP', 'SETTLE', 'HEDGE', 'NOTE'] as const
type Kind = (typeof KINDS)[number]

const ACCEPTED: ExpectedAnswer = { outcome: 'ACCEPTED' }
const MISMATCH: ExpectedAnswer = { outcome: 'REJECTED', reason_code: 'TOPOLOGY_MISMATCH' }
const UNSERVED: ExpectedAnswer = { outcome: 'REJECTED', reason_code: 'TOPOLOGY_UNSERVED' }

export const scenario: Scenario = { name: 'selector', play }

async function play(stage: Stage): Promise<void> {
  const done: string[] = []
  const runtime = await stage.openRuntime({
    background: false,
    capabilities: KINDS.map((kind) => createDeskCapability(kind, done)),
    topologies: [
      { topology: 'EOAM', topics: ['market.*'], policy_kinds: ['REBALANCE'] },
      { topology: 'SDS', policy_kinds: ['SCALP', 'HEDGE'] },
      // A hedge is in two rows: the stricter one counts.
      { topology: 'DL_PCI', policy_kinds: ['SETTLE', 'HEDGE'] },
    ],
    topics: [{ topic: 'market.*', arbitration: { window_ms: 60_000 } }],
  })
  await deployDesk(runtime)
  await playHandshakes(stage, runtime)
  const prover = await createProvingAgent(runtime, DESK)
  const desk: Desk = { stage, runtime, mesh: createMesh(runtime, [DESK, RISK]), prover }

  await playTogether(desk)
  stage.check('each was done once', done.join() === 'SCALP,SETTLE,REBALANCE')
  await playOtherWays(desk)
  stage.check('nothing of that was done', done.length === 3)
  await playTwoRows(desk)
  await playWokenScalp(desk)
  stage.check('six were done in all', done.slice(3).join() === 'HEDGE,NOTE,SCALP')
  await checkRecord(desk)
  await stage.close(runtime)
}

type Desk = {
  readonly stage: Stage
  readonly runtime: Runtime
  readonly mesh: Mesh
  readonly prover: ProvingAgent
}

/** What an agent says that it can do grants nothing; that it cannot do what the rules ask for is told before its first proposal. */
async function playHandshakes(stage: Stage, { engine }: Runtime): Promise<void> {
  const some = await engine.handshake({ agent: DESK, topologies: ['EOAM', 'SDS'] })
  const why = some.ok ? '' : some.error.summary
  stage.recordAnswer('the desk says that it serves EOAM and SDS', some, UNSERVED, why)
  const all = await engine.handshake({ agent: DESK, topologies: ['EOAM', 'SDS', 'DL_PCI'] })
  stage.recordAnswer('the desk says that it serves all three', all, ACCEPTED)
  const none = await engine.handshake({ agent: RISK, topologies: [] })
  stage.recordAnswer('risk serves none, and no row names its kinds', none, ACCEPTED)
}

/** A window is open while an atom is used and a proof is checked. */
async function playTogether({ stage, runtime, mesh, prover }: Desk): Promise<void> {
  const woken = await mesh.wake(PRICE, '100.00')
  stage.check('a price wakes the desk and risk', woken.size === 2)
  const rebalancing = getWoken(woken, DESK)
  const bid = await speak(runtime, rebalancing, toWord('REBALANCE'))
  const isWaiting = async (): Promise<boolean> =>
    (await runtime.store.readFlow(rebalancing.dfid))?.state === 'VALIDATING'
  stage.check('REBALANCE waits for risk', await isWaiting())

  const scalping = await open(runtime, 'a tick')
  const { atom_id } = await scalping.atom({ policy_kinds: ['SCALP'] })
  const settling = await open(runtime, 'the end of the day')
  const proof = await prover.prove(settling, toProposal('SETTLE'))
  const scalped = await scalping.propose({ ...toProposal('SCALP'), atom_id })
  stage.recordDecision('SCALP under an atom, meanwhile', scalped, ACCEPTED)
  stage.recordDecision('SETTLE with its proof, meanwhile', await settling.propose(proof), ACCEPTED)
  stage.check('REBALANCE still waits', await isWaiting())

  await getWoken(woken, RISK).cancel('no objection')
  await runtime.engine.runDue()
  stage.recordDecision('REBALANCE, once risk has let it pass', await bid.answer, ACCEPTED)
}

/** Every class in the way of another one, or in none. */
async function playOtherWays({ stage, runtime, prover }: Desk): Promise<void> {
  const ways: readonly (readonly [string, Kind, Way])[] = [
    ['REBALANCE in a flow of its own', 'REBALANCE', (_, proposal) => proposal],
    ['REBALANCE under an atom', 'REBALANCE', addAtom],
    ['SCALP without an atom', 'SCALP', (_, proposal) => proposal],
    ['SETTLE without a proof', 'SETTLE', (_, proposal) => proposal],
    ['SETTLE under an atom', 'SETTLE', addAtom],
    ['HEDGE under an atom', 'HEDGE', addAtom],
  ]
  for (const [summary, kind, way] of ways) {
    const flow = await open(runtime, summary)
    const answer = await flow.propose(await way(flow, toProposal(kind)))
    stage.recordDecision(summary, answer, MISMATCH, describeWanted(answer))
  }
  const flow = await open(runtime, 'a settlement')
  const { intent_payload } = await prover.prove(flow, toProposal('SETTLE'))
  const words = { ...toProposal('SETTLE'), justification: JSON.stringify(intent_payload) }
  const told = await flow.propose(words)
  stage.recordDecision('SETTLE that only says so', told, MISMATCH, describeWanted(told))
}

type Proposal = ReturnType<typeof toProposal>
type Way = (flow: Flow, proposal: Proposal) => Promise<WayProposal> | WayProposal
type WayProposal = Proposal & { readonly atom_id?: string }

const addAtom: Way = async (flow, proposal) => {
  const { atom_id } = await flow.atom({ policy_kinds: [proposal.policy_kind] })
  return { ...proposal, atom_id }
}

/** The stricter of two, and the plain way where no row says anything. */
async function playTwoRows({ stage, runtime, prover }: Desk): Promise<void> {
  const hedging = await open(runtime, 'a hedge')
  const proof: ProofCarryingIntent = await prover.prove(hedging, toProposal('HEDGE'))
  stage.recordDecision('HEDGE with its proof', await hedging.propose(proof), ACCEPTED)
  const noting = await open(runtime, 'a note')
  const noted = await noting.propose(toProposal('NOTE'))
  stage.recordDecision('NOTE, of which no row says anything', noted, ACCEPTED)
}

/** In a flow that a price woke a decision is in the row of its topic, and in that of its kind. */
async function playWokenScalp({ stage, runtime, mesh }: Desk): Promise<void> {
  const woken = await mesh.wake(PRICE, '110.00')
  const flow = getWoken(woken, DESK)
  const bare = await flow.propose(toProposal('SCALP'))
  stage.recordDecision('SCALP in a woken flow, no atom', bare, MISMATCH, describeWanted(bare))
  const { atom_id } = await flow.atom({ policy_kinds: ['SCALP'] })
  const bid = await speak(runtime, flow, { ...toWord('SCALP'), atom_id })
  await getWoken(woken, RISK).cancel('no objection')
  await runtime.engine.runDue()
  stage.recordDecision('SCALP in a woken flow, under an atom', await bid.answer, ACCEPTED)
}

/** All three stand in one ledger. */
async function checkRecord({ stage, runtime }: Desk): Promise<void> {
  const entries = await runtime.store.listEntries('main', 0, 1_000)
  const payloads = entries.map(({ payload }) => payload ?? '')
  const count = (text: string): number => payloads.filter((one) => one.includes(text)).length
  stage.check(
    'one ledger has events, atoms and proofs',
    entries.some(({ envelope: { kind } }) => kind === 'event') &&
      count('"finding":"atom"') > 0 &&
      count('"evidence_hash"') > 0,
  )
}

function open(runtime: Runtime, trigger: string): Promise<Flow> {
  return runtime.open({ agent: DESK, trigger })
}

function toProposal(kind: Kind): { readonly policy_kind: Kind; readonly params: JsonObject } {
  return { policy_kind: kind, params: { what: 'ACME' } }
}

function toWord(kind: Kind): { readonly kind: Kind; readonly params: JsonObject } {
  return { kind, params: { what: 'ACME' } }
}

function describeWanted({ feedback }: Answer): string {
  return `the rules want ${feedback?.details.wanted ?? 'nothing'}`
}

async function deployDesk(runtime: Runtime): Promise<void> {
  const subscriptions = [{ topic: 'market.*' }]
  const permissions = { subscriptions, reads: ['market.*'] }
  await runtime.deploy(buildContract(DESK, KINDS, { role: 'STRATEGIST', permissions }))
  await runtime.deploy(buildContract(RISK, ['HALT'], { role: 'MONITOR', permissions }))
}

function createDeskCapability(kind: Kind, done: string[]): Capability {
  return {
    kind,
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params: {
      type: 'object',
      properties: { what: { type: 'string', maxLength: 32 } },
      required: ['what'],
      additionalProperties: false,
    },
    execute({ params }) {
      done.push(kind)
      return { result: params.what ?? null }
    },
  }
}
