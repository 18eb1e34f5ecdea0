/**
 * An agent that proves what it decides: bound to what it was shown, its contract and the rules, and signed with its key. It
 * also sends a proof again, in another flow, with other parameters, on something else, by a key that was retired, without
 * any, or so late that the outside has moved; and where a step of several fails, what it had fixed for that happens.
 */
import { computeEvidenceHash, type JsonObject } from 'rubicon-kernel'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { retireKey } from '../../runtime/src/engine/authority/keys.ts'
import type { OpenedFlow } from '../../runtime/src/engine/rows/opened-flow.ts'
import { drawSensibleWish, open, type Scene, say, submitProposal, type Wish } from './agents.ts'
import { call } from './call.ts'
import { createCanary } from './canary.ts'
import { BANKER, getStormContract, MAX_AMOUNT, STREAMER } from './contracts.ts'
import { ITEMS } from './market.ts'
import { NOBODY } from './provider.ts'
import { registerStormKey, type StormKey, signDocument } from './storm-key.ts'

const HABITS = {
  honest: 6,
  steps: 3,
  half: 6,
  repeated: 2,
  race: 2,
  replayed: 2,
  altered: 2,
  other_context: 1.5,
  other_rules: 1,
  retired: 2,
  borrowed: 1.5,
  plain: 1.5,
  session: 1,
  drifting: 3,
} as const

const SHOWN = ['price.*', 'spread.*']
const TRIES = 3

/** What is put in the place of what was signed, or bound. */
type Change = {
  readonly params?: JsonObject
  readonly context_ref?: string
  readonly h_r?: string
}

/** `name`: of the one of several that work at once, each with keys of its own. */
export async function simulateBanker(scene: Scene, name: string): Promise<void> {
  await deployBanker(scene)
  let keys = 0
  let key = await registerNextKey(scene, `${name} ${keys}`)
  while (!scene.enough()) {
    await scene.time.sleep(scene.rng.drawBetween(0, scene.swarm.pauseMs))
    const habit = scene.rng.pickWeighted(HABITS)
    await decide(scene, key, habit)
    // A monitor may have stopped it.
    if (scene.rng.drawChance(0.1)) await setActive(scene)
    if (habit !== 'retired') continue
    keys += 1
    key = await registerNextKey(scene, `${name} ${keys}`)
  }
}

async function setActive(scene: Scene): Promise<void> {
  const moved = { agent_id: BANKER, to: 'ACTIVE', actor: 'operator' } as const
  await call(scene, (engine) => engine.moveAgent({ ...moved, justification: 'storm' }))
}

async function decide(scene: Scene, key: StormKey, habit: keyof typeof HABITS): Promise<void> {
  const { rng, time } = scene
  const opened = await openShown(scene)
  if (opened === null) return
  const wish = drawBankerWish(scene)
  const prove = (one: Wish, step: string, change?: Change) =>
    proveWish(opened, key, one, step, change)
  const send = (proof: JsonObject | null) => sendProof(scene, opened, proof)
  switch (habit) {
    case 'honest':
      return send(prove(wish, 'step-1'))
    case 'steps': {
      for (let step = 1; step <= 4; step++) await send(prove(drawBankerWish(scene), `step-${step}`))
      return
    }
    case 'half': {
      await send(prove(drawPayment(scene, 'PAY', rng.pick(ITEMS)), 'step-1'))
      const kind = rng.pick(['PAY', 'PAY', 'WIRE'])
      return send(prove(drawPayment(scene, kind, NOBODY), 'step-2'))
    }
    case 'repeated': {
      const proof = prove(wish, 'step-1')
      await send(proof)
      return send(proof)
    }
    case 'race':
      await Promise.all([
        send(prove(wish, 'step-1')),
        send(prove(drawBankerWish(scene), rng.pick(['step-1', 'step-2']))),
      ])
      return
    case 'replayed': {
      const proof = prove(wish, 'step-1')
      await send(proof)
      const other = await openShown(scene)
      return other === null ? undefined : sendProof(scene, other, proof)
    }
    case 'altered':
      return send(prove(wish, 'step-1', { params: { ...wish.params, amount: '1' } }))
    case 'other_context':
      return send(prove(wish, 'step-1', { context_ref: `sha256:${'4'.repeat(64)}` }))
    case 'other_rules':
      return send(prove(wish, 'step-1', { h_r: '5'.repeat(64) }))
    case 'retired': {
      const proof = prove(wish, 'step-1')
      const retire = call(scene, ({ context }) => retireKey(context, key.key_id))
      await Promise.all([retire, rng.drawChance(0.5) ? send(proof) : null])
      return send(prove(drawBankerWish(scene), 'step-2'))
    }
    case 'borrowed': {
      const other = await registerNextKey(scene, 'of somebody else', STREAMER)
      return send(proveWish(opened, other, wish, 'step-1'))
    }
    case 'plain':
      return say(scene, opened, wish, 'step-1')
    case 'session':
      return say(scene, opened, { ...wish, extra: { evidence_hash: '6'.repeat(64) } }, 'step-1')
    case 'drifting': {
      const proof = prove(drawTrade(scene), 'step-1')
      await time.sleep(rng.drawBetween(0, 2 * scene.swarm.marketMs))
      return send(proof)
    }
  }
}

function openShown(scene: Scene): Promise<OpenedFlow | null> {
  return open(scene, { agent: BANKER, trigger: 'to be proven', state: SHOWN, steps: 'many' })
}

function drawTrade({ rng }: Scene): Wish {
  const amount = String(rng.drawBetween(1, MAX_AMOUNT))
  return { policy_kind: 'TRADE', params: { item: rng.pick(ITEMS), amount } }
}

/** Small enough for every till. */
function drawPayment({ rng }: Scene, policy_kind: string, to: string): Wish {
  const params = { to, amount: rng.pick(['1', '2', '4']), memo: createCanary('memo') }
  return { policy_kind, params }
}

function drawBankerWish(scene: Scene): Wish {
  const { rng } = scene
  return rng.drawChance(0.25) ? drawTrade(scene) : drawSensibleWish(scene, 'clerk')
}

/** When the connection is lost, mostly the same again: the very same bytes. */
async function sendProof(
  scene: Scene,
  opened: OpenedFlow,
  proof: JsonObject | null,
): Promise<void> {
  if (proof === null) return
  for (let tries = 0; tries < TRIES; tries++) {
    if ((await submitProposal(scene, opened, proof)) !== null) return
    if (!scene.rng.drawChance(0.8)) return
    await scene.time.sleep(scene.rng.drawBetween(0, 2000))
  }
}

/** Null: whoever opened the flow asks for no proof, since its rules are none of those in force. */
function proveWish(
  { flow, working }: OpenedFlow,
  key: StormKey,
  wish: Wish,
  step_id: string,
  { params, context_ref: shown, h_r }: Change = {},
): JsonObject | null {
  const { dfid, snapshot_id, mission_hash: mission_context_hash } = flow
  const { evidence } = working
  if (evidence === undefined) return null
  const context_ref = shown ?? snapshot_id
  const bound = { dfid, context_ref, h_c: evidence.h_c, h_r: h_r ?? evidence.h_r }
  const intent_payload: JsonObject = {
    mission_context_hash,
    step_id,
    policy_kind: wish.policy_kind,
    params: wish.params,
    justification: createCanary('story'),
  }
  const evidence_hash = computeEvidenceHash(bound, sha256)
  const unsigned = { dfid, intent_payload, context_ref, evidence_hash, key_id: key.key_id }
  const roa_signature = signDocument(key, 'pci', unsigned)
  const sent = params === undefined ? intent_payload : { ...intent_payload, params }
  return { ...unsigned, intent_payload: sent, roa_signature }
}

function registerNextKey(scene: Scene, name: string, subject: string = BANKER): Promise<StormKey> {
  return registerStormKey(scene, { name, subject, purpose: 'agent' })
}

async function deployBanker(scene: Scene): Promise<void> {
  const contract = getStormContract(BANKER, 0, scene.swarm.flowBudgetUsd)
  while ((await call(scene, (engine) => engine.deploy(contract))) === null)
    await scene.time.sleep(100)
}
