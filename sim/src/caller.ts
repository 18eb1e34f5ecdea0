/**
 * Clients that ask for one thing twice: at two engines or at one, at once or one after the other, before their process gets to
 * look or while the other is under way, under one name, under names of their own, or under none; and again when the answer is lost,
 * or as somebody who knows nothing of it.
 */
import type { JsonObject } from 'rubicon-kernel'
import type { ActOptions, ActRequest } from '../../runtime/src/engine/decide/act.ts'
import type { Engine } from '../../runtime/src/engine/engine.ts'
import type { CallNames } from '../../runtime/src/engine/flow/call-claims.ts'
import { performUnderClaim } from '../../server/src/http/gate/idempotency.ts'
import type { Reply } from '../../server/src/http/schemas/route.ts'
import type { Scene } from './agents.ts'
import { type CallEnded, toCallTrigger } from './audit/calls.ts'
import { call, callProcess } from './call.ts'
import { CALLER, getStormContract } from './contracts.ts'
import type { SimProcess } from './process.ts'

/** How long after the first the others come, and what each waits for before it is taken up. */
const APART_MS = [0, 0, 3, 15, 60, 400, 4_000]
const HELD_MS = [0, 0, 1, 20, 200, 2_500, 12_000]
const TRIES = 3

type Told = { readonly names: CallNames; readonly key: string | null }

/** Of one that works beside others: what it asks for is its own. */
export async function simulateCaller(scene: Scene, name: string): Promise<void> {
  const { rng, time } = scene
  await deployCaller(scene)
  for (let family = 0; !scene.enough(); family++) {
    await time.sleep(rng.drawBetween(0, scene.swarm.pauseMs))
    const wish = drawWish(scene, `${name}-${family}`)
    const clients = Array.from({ length: rng.drawBetween(2, 4) }, async (_, client) => {
      await time.sleep(rng.drawBetween(0, rng.pick(APART_MS)))
      await callUntilAnswered(scene, wish, drawTold(scene, `${name}-${family}`, client))
    })
    await Promise.all(clients)
    // A monitor may have stopped it.
    if (rng.drawChance(0.2)) await setActive(scene)
  }
}

type Wish = { readonly family: string; readonly policy_kind: string; readonly params: JsonObject }

/** Its name is in what is asked for, so that the provider's log tells. */
function drawWish({ rng }: Scene, family: string): Wish {
  const memo = toCallTrigger({ family, call: 0 })
  const item = `item-${rng.drawBelow(4)}`
  const policy_kind = rng.pickWeighted({ PAY: 5, WIRE: 3, ORDER: 3 })
  if (policy_kind !== 'ORDER')
    return { family, policy_kind, params: { to: item, amount: rng.pick(['1', '2', '4']), memo } }
  // Beyond 50 somebody is asked.
  const quantity = rng.drawChance(0.2) ? 51 : rng.drawBetween(1, 8)
  return { family, policy_kind, params: { sku: item, quantity, memo } }
}

function drawTold({ rng }: Scene, family: string, client: number): Told {
  const own = `${family} ${client}`
  const known = rng.pickWeighted({ nothing: 5, key: 2, shared: 1.5, id: 1 })
  const names: Readonly<Record<typeof known, CallNames>> = {
    nothing: {},
    key: { key: own },
    shared: { key: family },
    id: { call: { conversation: family, id: own }, key: own },
  }
  return { names: names[known], key: rng.drawChance(0.4) ? `sent ${own}` : null }
}

/** Who lost an answer asks again: as before, or, started anew, with nothing to be known by. */
async function callUntilAnswered(scene: Scene, wish: Wish, told: Told): Promise<void> {
  const { rng, time } = scene
  let said = told
  for (let tries = 0; tries < TRIES; tries++) {
    if (!scene.propose()) return
    const process = await scene.site.process()
    const reply = await callProcess(process, scene, (engine) =>
      callOnce(scene, { process, engine }, wish, said),
    )
    if (reply !== null && !rng.drawChance(0.3)) return
    if (rng.drawChance(0.3)) said = { names: {}, key: null }
    await time.sleep(rng.drawBetween(0, rng.pick(APART_MS)))
  }
}

type Reached = { readonly process: SimProcess; readonly engine: Engine }

/** As a server does it: the call has come, and is held up until its session, its turn and its body are there. */
async function callOnce(
  scene: Scene,
  { process, engine }: Reached,
  { family, policy_kind, params }: Wish,
  { names, key }: Told,
): Promise<Reply> {
  const { rng, time } = scene
  const place = { family, call: scene.drawQuestion() }
  const { epoch } = process
  const came = engine.calls.readCame()
  scene.callCame({ ...place, names: listNames(names), epoch, ms: time.getElapsedMs() })
  const heldMs = rng.drawBetween(0, rng.pick(HELD_MS))
  if (heldMs > 0) await process.wait(time.sleep(heldMs))
  const trigger = toCallTrigger(place)
  const request: ActRequest = { agent: CALLER, trigger, policy_kind, params }
  const waitMs = rng.pick([0, 1_000, 10_000])
  let answer: CallEnded['answer'] = null
  const perform = async (beside?: ActOptions['beside']): Promise<Reply> => {
    const options = beside === undefined ? { waitMs } : { waitMs, beside }
    const acted = await engine.calls.act(request, names, options, came)
    if (!acted.ok) return { status: 409, body: acted.error }
    const { dfid, outcome } = acted.value.answer
    answer = { dfid, repeated: acted.value.repeated }
    scene.note(
      `called ${trigger} ${dfid} ${outcome} ${acted.value.answer.reason_code ?? ''} ${acted.value.repeated}`,
    )
    scene.acknowledge({ kind: 'answered', answer: acted.value.answer })
    return { status: 200, body: acted.value.answer }
  }
  try {
    if (key === null) return await perform()
    const asked = { group: `agent ${CALLER}`, key, body_hash: key }
    return await performUnderClaim(
      engine.context.store,
      asked,
      ({ buildFlowClaim }) => perform(buildFlowClaim),
      async (dfid) => {
        const found = await engine.calls.readAnswer(dfid)
        return found.ok ? { status: 200, body: found.value } : { status: 404, body: found.error }
      },
    )
  } finally {
    scene.callEnded({ ...place, ms: time.getElapsedMs(), answer })
  }
}

function listNames({ key, call: id }: CallNames): readonly string[] {
  return [
    ...(key === undefined ? [] : [`key ${key}`]),
    ...(id === undefined ? [] : [`id ${id.conversation} ${id.id}`]),
  ]
}

async function setActive(scene: Scene): Promise<void> {
  const moved = {
    agent_id: CALLER,
    to: 'ACTIVE',
    actor: 'operator',
    justification: 'storm',
  } as const
  await call(scene, (engine) => engine.moveAgent(moved))
}

async function deployCaller(scene: Scene): Promise<void> {
  const contract = getStormContract(CALLER, 0, scene.swarm.flowBudgetUsd)
  while ((await call(scene, (engine) => engine.deploy(contract))) === null)
    await scene.time.sleep(100)
}
