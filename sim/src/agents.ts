/**
 * Agents: most are sensible, and all of them repeat themselves, race, argue, send rubbish, reach
 * beyond what they may, and lose their connection. Whatever they hear is told to the auditor.
 */
import type { Answer, JsonObject, SignedAtom } from 'rubicon-kernel'
import type { OpenRequest } from '../../runtime/src/engine/flow/open.ts'
import type { ProposalInput } from '../../runtime/src/engine/judge/receive.ts'
import type { OpenedFlow } from '../../runtime/src/engine/rows/opened-flow.ts'
import type { Acknowledgement } from './audit/acknowledgement.ts'
import type { HeardHint } from './audit/bus.ts'
import type { CallCame, CallEnded } from './audit/calls.ts'
import type { SaidReview } from './audit/reviews.ts'
import { call } from './call.ts'
import { createCanary } from './canary.ts'
import type { VirtualTime } from './clock.ts'
import { AGENTS, type AgentName, MAX_AMOUNT, MAX_TOKENS } from './contracts.ts'
import { drawGarbageProposal } from './garbage.ts'
import type { Provider } from './provider.ts'
import type { Rng } from './rng.ts'
import type { SceneCounts } from './scene-counts.ts'
import type { SeedKinds } from './seed-kinds.ts'
import type { Site } from './site.ts'
import type { Swarm } from './swarm.ts'
import { drawToolWish } from './tools.ts'

export type Scene = SeedKinds &
  SceneCounts & {
    readonly rng: Rng
    readonly time: VirtualTime
    readonly swarm: Swarm
    readonly site: Site
    readonly provider: Provider
    readonly acknowledge: (ack: Acknowledgement) => void
    /** Somebody was told that the store knows this now. */
    readonly observed: (said: { readonly path: string; readonly version: number }) => void
    /** An agent in process was told of an event. */
    readonly heard: (hint: HeardHint) => void
    /** Somebody works on it beside everybody else, and is waited for in the end. */
    readonly hand: (work: () => Promise<void>) => void
    readonly note: (text: string) => void
    /** The last flag of a flow that nobody has looked at. */
    readonly findShown: (dfid: string) => number | null
    /** Somebody was told that their review counts. */
    readonly reviewed: (said: SaidReview) => void
    /** Nothing is erased: the ledger stays as it was written. */
    readonly whole: boolean
    /** Somebody was given an atom. */
    readonly issued: (atom: SignedAtom) => void
    /** A call that may be made twice has come, and has ended. */
    readonly callCame: (came: CallCame) => void
    readonly callEnded: (ended: CallEnded) => void
    /** Somebody works on the store from a terminal, beside the servers. */
    readonly local: boolean
    /** Flows that were opened, for operators and rivals. */
    readonly opened: OpenedFlow[]
    /** How many flows that the runtime handed over are being worked on. */
    readonly handing: () => number
  }

const HABITS = {
  single: 10,
  steps: 5,
  race: 4,
  changed: 2,
  argue: 2,
  garbage: 1,
  stale: 1,
  dissonant: 0.3,
  stranger: 0.5,
  family: 3,
  think: 2,
  cancel: 1,
  repeat: 2,
} as const

type Habit = keyof typeof HABITS

/** What takes more than one step. */
const SEVERAL: readonly Habit[] = ['steps', 'family', 'argue', 'think']

/** One agent's life: acts until there were enough proposals. */
export async function simulateAgent(scene: Scene): Promise<void> {
  while (!scene.enough()) {
    await scene.time.sleep(scene.rng.drawBetween(0, scene.swarm.pauseMs))
    const agent = scene.rng.pick(AGENTS)
    const habit = scene.rng.pickWeighted(HABITS)
    await act(scene, agent, habit)
  }
}

async function act(scene: Scene, agent: AgentName, habit: Habit): Promise<void> {
  const { rng } = scene
  const steps = SEVERAL.includes(habit) ? 'many' : 'one'
  const opened = await open(scene, { agent, trigger: habit, steps })
  if (opened === null) return
  const drawWish = () => drawActorWish(scene, agent)
  switch (habit) {
    case 'single':
      return void (await say(scene, opened, drawWish(), 'step-1'))
    case 'repeat': {
      const wish = drawWish()
      await say(scene, opened, wish, 'step-1')
      return void (await say(scene, opened, wish, 'step-1'))
    }
    case 'steps': {
      for (let step = 1; step <= rng.drawBetween(2, 5); step++)
        await say(scene, opened, drawWish(), `step-${step}`)
      return close(scene, opened)
    }
    case 'race': {
      const wish = drawWish()
      const rival = rng.drawChance(0.5) ? wish : drawWish()
      await Promise.all([
        say(scene, opened, wish, 'step-1'),
        say(scene, opened, rival, 'step-1'),
        ...(rng.drawChance(0.3) ? [say(scene, opened, wish, 'step-2')] : []),
      ])
      return
    }
    case 'changed': {
      await say(scene, opened, drawWish(), 'step-1')
      return void (await say(scene, opened, drawWish(), 'step-1'))
    }
    case 'argue': {
      for (let turn = 1; turn <= 4; turn++)
        await say(scene, opened, drawGreedyWish(scene, agent), `step-${turn}`)
      return
    }
    case 'garbage':
      return void (await submitProposal(scene, opened, drawGarbageProposal(rng, opened)))
    case 'stale': {
      const odd = rng.drawChance(0.5)
        ? { context_ref: `sha256:${'0'.repeat(64)}` }
        : { confidence: rng.pick([0.1, 0.6]) }
      return void (await say(scene, opened, { ...drawWish(), extra: odd }, 'step-1'))
    }
    case 'dissonant':
      return void (await say(
        scene,
        opened,
        { ...drawWish(), extra: { mission_context_hash: `sha256:${'1'.repeat(64)}` } },
        'step-1',
      ))
    case 'stranger': {
      const other = scene.opened.length === 0 ? opened : rng.pick(scene.opened)
      const wish = { ...drawWish(), extra: { agent_id: agent } }
      return void (await say(scene, other, wish, 'step-1'))
    }
    case 'family':
      return playFamily(scene, opened)
    case 'think':
      return think(scene, opened)
    case 'cancel': {
      await Promise.all([
        rng.drawChance(0.5) ? say(scene, opened, drawWish(), 'step-1') : null,
        call(scene, (engine) => engine.cancel(opened.flow.dfid, 'changed my mind')),
      ])
    }
  }
}

/** A parent that spends while its children take their share of the same budget. */
async function playFamily(scene: Scene, parent: OpenedFlow): Promise<void> {
  const { rng } = scene
  const playChild = async (): Promise<void> => {
    const agent = rng.pick(['trader', 'clerk'] as const)
    const opened = await open(scene, { agent, trigger: 'child', parent: parent.flow.dfid })
    if (opened !== null) await say(scene, opened, drawSensibleWish(scene, agent), 'step-1')
  }
  const agent = parent.flow.agent_id as AgentName
  await Promise.all([
    say(scene, parent, drawGreedyWish(scene, agent), 'step-1'),
    ...Array.from({ length: rng.drawBetween(1, 3) }, playChild),
  ])
  await Promise.all([say(scene, parent, drawSensibleWish(scene, agent), 'step-2'), playChild()])
}

/** Reports what thinking costs while it acts, sometimes twice, sometimes more than it may. */
async function think(scene: Scene, opened: OpenedFlow): Promise<void> {
  const { rng } = scene
  const { dfid, agent_id } = opened.flow
  for (let step = 1; step <= 3; step++) {
    const used = { tokens: rng.drawBetween(1, MAX_TOKENS / 2) }
    const report = `thought-${step}`
    const tell = (): Promise<unknown> =>
      call(scene, (engine) => engine.usage(dfid, used, { report }))
    await Promise.all([
      say(scene, opened, drawSensibleWish(scene, agent_id as AgentName), `step-${step}`),
      tell(),
      rng.drawChance(0.3) ? tell() : null,
    ])
  }
}

export type Wish = {
  readonly policy_kind: string
  readonly params: JsonObject
  readonly extra?: JsonObject
}

/** Tools only where agents ask models: other seeds have the histories in which rare mistakes were found. */
function drawActorWish(scene: Scene, agent: AgentName): Wish {
  if (scene.thinking && scene.rng.drawChance(0.3)) return drawToolWish(scene.rng)
  return drawSensibleWish(scene, agent)
}

export function drawSensibleWish({ rng, provider, site }: Scene, agent: AgentName): Wish {
  const item = `item-${rng.drawBelow(4)}`
  const amount = String(rng.drawBetween(1, MAX_AMOUNT))
  const wishes: Readonly<Record<string, () => JsonObject>> = {
    LOOKUP: () => ({ item }),
    PUT: () => ({ item, value: `v${rng.drawBelow(100)}`, if_version: provider.getVersion(item) }),
    PAY: () => ({ to: item, amount, memo: createCanary('memo') }),
    ORDER: () => ({ sku: item, quantity: rng.drawBetween(1, 60) }),
    WIRE: () => ({ to: item, amount, memo: createCanary('memo') }),
    STOCK: () => {
      const stock = site.tables.worlds.get('main')?.resources.get(`stock\0${item}`)
      return { item, count: String(rng.drawBelow(1000)), version: stock?.version ?? 0 }
    },
    WITHDRAW: () => ({ amount, memo: createCanary('memo') }),
  }
  const kinds: Readonly<Record<AgentName, Readonly<Record<string, number>>>> = {
    trader: { LOOKUP: 1, PUT: 3, PAY: 5, ORDER: 5, WIRE: 4, STOCK: 3, WITHDRAW: 1.5 },
    clerk: { LOOKUP: 1, PAY: 5, ORDER: 5, WIRE: 4 },
    keeper: { LOOKUP: 1, PUT: 5, STOCK: 5, ORDER: 4 },
    builder: { LOOKUP: 1, PAY: 4, ORDER: 4, STOCK: 2, PUT: 1 },
  }
  const policy_kind = rng.pickWeighted(kinds[agent])
  return { policy_kind, params: wishes[policy_kind]?.() ?? {} }
}

/** At the limit, above it, or not allowed at all. */
function drawGreedyWish({ rng }: Scene, agent: AgentName): Wish {
  if (rng.drawChance(0.15)) return { policy_kind: 'WITHDRAW', params: { amount: '1' } }
  if (agent === 'keeper') return { policy_kind: 'WIRE', params: { to: 'me', amount: '10' } }
  const amount = String(rng.drawBetween(MAX_AMOUNT - 15, MAX_AMOUNT + 2))
  return { policy_kind: rng.pick(['PAY', 'WIRE']), params: { to: 'me', amount } }
}

export async function open(scene: Scene, request: OpenRequest): Promise<OpenedFlow | null> {
  const answer = await call(scene, (engine) => engine.open(request))
  if (answer === null || !answer.ok) return null
  scene.opened.push(answer.value)
  scene.acknowledge({ kind: 'opened', dfid: answer.value.flow.dfid, writ: answer.value.writ.id })
  return answer.value
}

async function close(scene: Scene, { flow }: OpenedFlow): Promise<void> {
  await call(scene, (engine) => engine.close(flow.dfid))
}

/** Proposes; when the connection is lost, mostly proposes the same again. */
export async function say(
  scene: Scene,
  opened: OpenedFlow,
  wish: Wish,
  step_id: string,
): Promise<void> {
  const { flow } = opened
  const { dfid, agent_id, snapshot_id: context_ref, mission_hash: mission_context_hash } = flow
  // What the flow says already need not be said.
  const said = scene.rng.drawChance(0.3)
    ? {}
    : { dfid, agent_id, context_ref, mission_context_hash }
  const proposal = {
    ...said,
    step_id,
    policy_kind: wish.policy_kind,
    params: wish.params,
    justification: createCanary('story'),
    ...wish.extra,
  }
  for (let tries = 0; tries < 4; tries++) {
    if ((await submitProposal(scene, opened, proposal)) !== null) return
    if (!scene.rng.drawChance(0.8)) return
    await scene.time.sleep(scene.rng.drawBetween(0, 2000))
  }
}

export async function submitProposal(
  scene: Scene,
  { flow: { dfid } }: OpenedFlow,
  input: ProposalInput,
): Promise<Answer | null> {
  if (!scene.propose()) return null
  const waitMs = scene.rng.pick([10, 1000, 10_000])
  const answer = await call(scene, (engine) => engine.propose(dfid, input, { waitMs }))
  if (answer === null) return null
  scene.note(`answer ${dfid} ${answer.outcome} ${answer.reason_code ?? ''} ${answer.trace_id}`)
  scene.acknowledge({ kind: 'answered', answer })
  return answer
}
