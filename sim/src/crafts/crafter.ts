/**
 * Agents that change one project together: they plan what others have planned, apply late, twice, what is somebody else's, or on a
 * text that is long another one, take back what they or others did, and leave plans lying.
 */
import type { Answer, JsonObject } from 'rubicon-kernel'
import type { OpenRequest } from '../../../runtime/src/engine/flow/open.ts'
import type { OpenedFlow } from '../../../runtime/src/engine/rows/opened-flow.ts'
import { open, type Scene, submitProposal } from '../agents.ts'
import { call } from '../call.ts'
import { getStormContract } from '../contracts.ts'
import { CRAFTERS, type CrafterName, NAMES, PLAN_MS } from './craft-project.ts'
import { drawAddition, drawChange, drawSharedClass } from './draw-change.ts'
import {
  findKnownText,
  type KnownPlan,
  listOwnPlans,
  listPlans,
  readText,
} from './known-artifacts.ts'

const HABITS = {
  change: 8,
  plan: 3,
  apply: 5,
  race: 3,
  together: 5,
  late: 2,
  withdraw: 1.5,
  foreign: 1,
  older: 2,
  undo: 3,
  job: 2,
  adopt: 1,
  look: 1,
} as const

export async function simulateCrafter(scene: Scene, agent: CrafterName): Promise<void> {
  while (!scene.enough()) {
    await scene.time.sleep(scene.rng.drawBetween(0, scene.swarm.pauseMs))
    await act(scene, agent, scene.rng.pickWeighted(HABITS))
  }
}

async function act(scene: Scene, agent: CrafterName, habit: keyof typeof HABITS): Promise<void> {
  const { rng, time } = scene
  const own = listOwnPlans(scene, 'main', agent)
  switch (habit) {
    case 'change':
      await plan(scene, agent, 'main')
      return applyLast(scene, agent, 'main')
    case 'plan':
      return plan(scene, agent, 'main')
    case 'apply':
      return void (own.length > 0 && (await apply(scene, agent, rng.pick(own))))
    case 'race': {
      await plan(scene, agent, 'main')
      await Promise.all([applyLast(scene, agent, 'main'), applyLast(scene, agent, 'main')])
      return
    }
    case 'together':
      return addTogether(scene, agent)
    case 'late':
      await plan(scene, agent, 'main')
      await time.sleep(rng.drawBetween(PLAN_MS - 3_000, PLAN_MS + 10_000))
      return applyLast(scene, agent, 'main')
    case 'withdraw':
      return void (
        own.length > 0 && (await propose(scene, agent, 'withdraw', toParams(rng.pick(own))))
      )
    case 'foreign': {
      const all = listPlans(scene, 'main')
      return void (all.length > 0 && (await apply(scene, agent, rng.pick(all))))
    }
    case 'older':
      return proposeOnOlderText(scene, agent)
    case 'undo':
      return undo(scene, agent)
    case 'job':
      return playJob(scene, agent)
    case 'adopt': {
      const artifacts = [rng.pick(NAMES)]
      return void (await propose(scene, agent, 'adopt', { artifacts, symbols: artifacts }))
    }
    case 'look':
      return void (await propose(scene, agent, 'read', { symbol: rng.pick(NAMES) }))
  }
}

function toParams({ plan, symbols }: KnownPlan): JsonObject {
  return { plan, symbols: [...symbols] }
}

/** In a flow of its own, or as a step of one. */
export async function propose(
  scene: Scene,
  agent: CrafterName,
  what: string,
  params: JsonObject,
  more: Partial<OpenRequest> = {},
): Promise<Answer | null> {
  const opened = await open(scene, { agent, trigger: `artifact ${what}`, ...more })
  return opened === null ? null : step(scene, opened, what, params, 'step-1')
}

async function step(
  scene: Scene,
  opened: OpenedFlow,
  what: string,
  params: JsonObject,
  step_id: string,
): Promise<Answer | null> {
  const proposal = { policy_kind: `artifact.${what}`, params, step_id }
  const answer = await submitProposal(scene, opened, proposal)
  if (answer !== null || !scene.rng.drawChance(0.7)) return answer
  await scene.time.sleep(scene.rng.drawBetween(0, 2000))
  return submitProposal(scene, opened, proposal)
}

function drawPlan(scene: Scene, agent: CrafterName, trajectory: string): JsonObject | null {
  const change = drawChange(scene.rng, agent, (name) => readText(scene, trajectory, name))
  if (change === null) return null
  const { artifact, delta, symbols } = change
  return { changes: [{ artifact, deltas: [delta] }], symbols: [...symbols] }
}

export async function plan(scene: Scene, agent: CrafterName, trajectory: string): Promise<void> {
  const params = drawPlan(scene, agent, trajectory)
  if (params !== null) await propose(scene, agent, 'plan', params, { trajectory })
}

async function apply(scene: Scene, agent: CrafterName, known: KnownPlan): Promise<void> {
  await propose(scene, agent, 'apply', toParams(known))
}

export async function applyLast(
  scene: Scene,
  agent: CrafterName,
  trajectory: string,
): Promise<void> {
  const last = listOwnPlans(scene, trajectory, agent).at(-1)
  if (last !== undefined) await propose(scene, agent, 'apply', toParams(last), { trajectory })
}

/** Two put members at the end of one class, both on the same text; either is the first to apply. */
async function addTogether(scene: Scene, agent: CrafterName): Promise<void> {
  const { rng } = scene
  const other = rng.pick(CRAFTERS.filter((name) => name !== agent))
  const [artifact, holder] = drawSharedClass(rng, agent, other)
  const planned = await Promise.all(
    [agent, other].map(async (author) => {
      const { delta, symbols } = drawAddition(rng, artifact, holder)
      const changes = [{ artifact, deltas: [delta] }]
      await propose(scene, author, 'plan', { changes, symbols: [...symbols] })
      return { author, symbol: symbols[0] ?? '' }
    }),
  )
  for (const { author, symbol } of rng.drawChance(0.5) ? planned : planned.toReversed()) {
    const own = listOwnPlans(scene, 'main', author)
    const known = own.find(({ symbols }) => symbols.includes(symbol))
    if (known !== undefined) await apply(scene, author, known)
  }
}

/** On the text as it was before somebody else's change. */
async function proposeOnOlderText(scene: Scene, agent: CrafterName): Promise<void> {
  const { rng, time } = scene
  const was = NAMES.map((name) => [name, findKnownText(scene, 'main', name)?.hash] as const)
  const params = drawPlan(scene, agent, 'main')
  await time.sleep(rng.drawBetween(0, 4 * scene.swarm.pauseMs))
  if (params === null) return
  const [change] = params.changes as readonly JsonObject[]
  const base = was.find(([name]) => name === change?.artifact)?.[1]
  if (base === undefined) return
  await propose(scene, agent, 'plan', { ...params, changes: [{ ...change, base }] })
  await applyLast(scene, agent, 'main')
}

/** The last change of an artifact, or that before it, whoever made it. */
async function undo(scene: Scene, agent: CrafterName): Promise<void> {
  const { rng, site } = scene
  const artifact = rng.pick(NAMES)
  const { change = '' } = findKnownText(scene, 'main', artifact) ?? {}
  const find = (hash: string): JsonObject => {
    const bytes = site.options.crafts?.blobs.get(hash)
    return bytes === undefined ? {} : JSON.parse(new TextDecoder().decode(bytes))
  }
  const { previous } = find(change)
  const wanted = rng.drawChance(0.5) && typeof previous === 'string' ? previous : change
  const { symbols } = find(wanted)
  if (!Array.isArray(symbols)) return
  const params = { undo: [{ artifact, change: wanted }], symbols }
  await propose(scene, agent, 'plan', params)
  await applyLast(scene, agent, 'main')
}

/** Plans, applies, and then wants what cannot be: half a job, which somebody may take back. */
async function playJob(scene: Scene, agent: CrafterName): Promise<void> {
  const opened = await open(scene, { agent, trigger: 'a job', steps: 'many' })
  const params = drawPlan(scene, agent, 'main')
  if (opened === null || params === null) return
  await step(scene, opened, 'plan', params, 'plan')
  const last = listOwnPlans(scene, 'main', agent).at(-1)
  if (last !== undefined) await step(scene, opened, 'apply', toParams(last), 'apply')
  if (scene.rng.drawChance(0.6)) await step(scene, opened, 'plan', params, 'again')
}

/** Deploys them, and has the files adopted. */
export async function prepareCrafts(scene: Scene): Promise<void> {
  for (const name of CRAFTERS) {
    const contract = getStormContract(name, 0, scene.swarm.flowBudgetUsd)
    while ((await call(scene, (engine) => engine.deploy(contract))) === null)
      await scene.time.sleep(100)
  }
  for (let tries = 0; tries < 8 && findKnownText(scene, 'main', NAMES[0] ?? '') === null; tries++) {
    await propose(scene, 'mason', 'adopt', { artifacts: [...NAMES], symbols: [...NAMES] })
    await scene.time.sleep(1_000)
  }
}
