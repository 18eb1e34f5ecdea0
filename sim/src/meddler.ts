/**
 * Whoever changes what a window stands on while it is open: members and those who would win are stopped, their writs are
 * revoked, their flows cancelled, the rules are replaced, processes end, and what somebody has won is erased.
 */
import type { StoredRecord } from '../../runtime/src/ports/record.ts'
import type { Scene } from './agents.ts'
import { call } from './call.ts'
import { listRecords } from './stored-records.ts'
import type { Faults } from './swarm.ts'

type OpenEvent = StoredRecord<'event'>

const DEEDS = {
  suspend: 3,
  revoke: 3,
  cancel: 1,
  rules: 2,
  crash: 3,
} as const

const LOOK_MS = 200
const ENDED: readonly string[] = ['CLOSED', 'ABORTED']

export async function simulateMeddler(scene: Scene, faults: Faults): Promise<void> {
  const { rng, time } = scene
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, LOOK_MS))
    if (!scene.whole && rng.drawChance(0.05)) await eraseWinner(scene)
    const open = listOpenEvents(scene)
    if (open.length === 0 || !faults.drawFault('window_disturbed')) continue
    await changeDuring(scene, faults, rng.pick(open))
  }
}

/** Somebody has bid in them, and nobody has won. */
function listOpenEvents({ site: { tables } }: Scene): readonly OpenEvent[] {
  return listRecords(tables, 'event').filter(
    ({ group, body }) => group === 'open' && (body.bids ?? 0) > 0 && body.winners === undefined,
  )
}

async function changeDuring(scene: Scene, faults: Faults, event: OpenEvent): Promise<void> {
  const { rng, site } = scene
  const { agent, dfid } = pickMember(scene, event)
  const deed = rng.pickWeighted(DEEDS)
  scene.note(`meddles ${deed} ${dfid}`)
  switch (deed) {
    case 'suspend':
      return suspendMember(scene, agent)
    case 'revoke': {
      const id = site.tables.flows.get(dfid)?.writs[0]?.id
      if (id !== undefined) await revokeWrit(scene, id)
      return
    }
    case 'cancel':
      return void (await call(scene, (engine) => engine.cancel(dfid, 'the window is open')))
    case 'rules':
      faults.count('rules_replaced')
      site.advanceRules(rng.pick([0, 500]))
      for (const machine of site.machines) machine.replaceProcess('while a window is open')
      return
    case 'crash':
      rng.pick(site.machines).replaceProcess('while a window is open')
  }
}

/** Mostly the one whose bid is first. */
function pickMember({ rng, site }: Scene, event: OpenEvent): OpenEvent['body']['members'][number] {
  const { members } = event.body
  const bids = listRecords(site.tables, 'bid').filter(({ group }) => group === event.key)
  const [first] = bids.toSorted((a, b) => a.body.priority - b.body.priority)
  const winner = members.find(({ dfid }) => dfid === first?.key)
  return winner !== undefined && rng.drawChance(0.7) ? winner : rng.pick(members)
}

async function suspendMember(scene: Scene, agent_id: string): Promise<void> {
  const { rng, time } = scene
  for (const to of ['SUSPENDED', 'ACTIVE'] as const) {
    const move = { agent_id, to, actor: 'operator', justification: 'a window is open' } as const
    await call(scene, (engine) => engine.moveAgent(move))
    await time.sleep(rng.drawBetween(1, 5_000))
  }
}

async function revokeWrit(scene: Scene, id: string): Promise<void> {
  const request = { target: 'writ', id, reason: 'a window is open' } as const
  const done = await call(scene, (engine) => engine.revoke(request))
  if (done?.ok === true) scene.acknowledge({ kind: 'revoked', seq: done.value.seq, target: id })
}

/** Others of its event may still be open, and lose to a flow of which nothing is left to be read. */
async function eraseWinner(scene: Scene): Promise<void> {
  const { rng, site } = scene
  const won = listRecords(site.tables, 'event').flatMap(({ body }) =>
    (body.winners ?? []).map(({ dfid }) => dfid),
  )
  const ended = won.filter((dfid) => {
    const flow = site.tables.flows.get(dfid)
    return flow !== undefined && ENDED.includes(flow.state) && flow.trigger !== ''
  })
  if (ended.length === 0) return
  const dfid = rng.pick(ended)
  const request = { dfid, reason: 'asked for', by: 'olga' }
  const erased = await call(scene, (engine) => engine.oversight.erase(request))
  scene.note(`erase ${dfid}: ${erased?.ok === true ? 'done' : (erased?.error.code ?? 'lost')}`)
}
