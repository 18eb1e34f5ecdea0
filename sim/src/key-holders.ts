/**
 * People with keys for approving, in some seeds: they get one, change it for another, lose it or have it stolen; and
 * sign what they decide with a key of theirs that is in use or has ended, or with one of somebody else.
 */
import { buildApprovalBody, type EscalationDecision, type EscalationRequest } from 'rubicon-kernel'
import { compromiseKey, retireKey } from '../../runtime/src/engine/authority/keys.ts'
import { open, type Scene, say } from './agents.ts'
import { findHuman, listLogins } from './audit/humans.ts'
import { call } from './call.ts'
import { APPROVERS, MUCH, OWNER } from './contracts.ts'
import { registerStormKey, type StormKey, signDocument } from './storm-key.ts'

const DEEDS = { get: 4, change: 3, lose: 2, steal: 1, nothing: 1 } as const
const HUMANS = [...APPROVERS, OWNER]

/** Every key that somebody ever had, by whose it is, in the order in which they got them. */
export type HeldKeys = Map<string, StormKey[]>

export async function simulateKeyHolders(scene: Scene, held: HeldKeys): Promise<void> {
  const { rng, time, swarm } = scene
  // For a while nobody has one, and everybody may be vouched for.
  await time.sleep(rng.drawBetween(1, swarm.pauseMs))
  for (const human of HUMANS) if (rng.drawChance(0.6)) await getKey(scene, held, human)
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, swarm.pauseMs + 500))
    const human = rng.pick(HUMANS)
    const before = held.get(human)?.at(-1)
    switch (rng.pickWeighted(DEEDS)) {
      case 'get':
        await getKey(scene, held, human)
        break
      case 'change':
        if (rng.drawChance(0.5)) await getKey(scene, held, human)
        await endKey(scene, before)
        if (rng.drawChance(0.7)) await getKey(scene, held, human)
        break
      case 'lose':
        await endKey(scene, before)
        break
      case 'steal':
        await loseToThief(scene, before)
        break
      case 'nothing':
        break
    }
  }
}

/** People have something to decide: what only they let through is asked for again and again. */
export async function simulateAsker(scene: Scene): Promise<void> {
  const { rng, time, swarm } = scene
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, swarm.pauseMs + 1000))
    const agent = rng.pick(['trader', 'builder'] as const)
    const opened = await open(scene, { agent, trigger: 'for somebody to decide' })
    const params = { sku: `item-${rng.drawBelow(4)}`, quantity: rng.drawBetween(MUCH, MUCH + 6) }
    if (opened !== null) await say(scene, opened, { policy_kind: 'ORDER', params }, 'step-1')
  }
}

async function getKey(scene: Scene, held: HeldKeys, human: string): Promise<void> {
  const { rng } = scene
  const keys = held.get(human) ?? []
  held.set(human, keys)
  const subject = rng.pick(listLogins(human))
  const name = `approver ${human} ${keys.length} ${rng.drawBelow(1e9)}`
  keys.push(await registerStormKey(scene, { name, subject, purpose: 'approver' }))
}

async function endKey(scene: Scene, key: StormKey | undefined): Promise<void> {
  if (key !== undefined) await call(scene, ({ context }) => retireKey(context, key.key_id))
}

async function loseToThief(scene: Scene, key: StormKey | undefined): Promise<void> {
  if (key === undefined) return
  const authority = scene.site.tables.byTrajectory.get('authority') ?? []
  const since = scene.rng.drawBelow(authority.length)
  await call(scene, ({ context }) => compromiseKey(context, key.key_id, since))
}

/** With the last key of theirs, one from before, or one of anybody. */
export async function signDecision(
  scene: Scene,
  held: HeldKeys,
  request: EscalationRequest,
  decision: EscalationDecision,
  by: string,
): Promise<EscalationDecision> {
  const { rng } = scene
  const own = held.get(findHuman(by)) ?? []
  const all = [...held.values()].flat()
  const signs = rng.pickWeighted({ not: 4, last: 5, own: 1, any: 1 })
  const key = {
    not: undefined,
    last: own.at(-1),
    own: own[0],
    any: all[rng.drawBelow(all.length || 1)],
  }[signs]
  if (key === undefined) return decision
  const person = await call(scene, ({ people }) => people.find({ kind: 'name', name: by }))
  if (person === null) return decision
  const body = buildApprovalBody(request, decision, by, person)
  return {
    ...decision,
    signature: { key_id: key.key_id, sig: signDocument(key, 'approval', body) },
  }
}
