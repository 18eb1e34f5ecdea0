/**
 * Somebody at a terminal beside the servers that run: each verb is a process of its own on the same store, with the
 * keys and without capabilities. It does one thing, and ends; or dies in the middle of it, and nobody starts it again.
 */
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { systemZones } from '../../runtime/src/adapters/system/zones.ts'
import { Engine } from '../../runtime/src/engine/engine.ts'
import { openLedger } from '../../runtime/src/engine/ledger/open-ledger.ts'
import type { Resolution } from '../../runtime/src/engine/saga/resolution.ts'
import { buildRuleBook } from '../../runtime/src/rule-book.ts'
import type { Scene } from './agents.ts'
import { buildSideDeps } from './beside.ts'
import { call, callProcess } from './call.ts'
import { createCanary } from './canary.ts'
import { APPROVERS, EVERYBODY } from './contracts.ts'
import { buildDecision } from './decision.ts'
import { createStormFailpoints } from './failpoints.ts'
import { TENANT, words } from './host.ts'
import { SimProcess } from './process.ts'
import { createStormStore } from './store.ts'

const DEEDS = { suspend: 2, reactivate: 3, revoke: 1, settle: 3, put_right: 2, decide: 12 } as const
const DAY_MS = 86_400_000

export async function simulateLocalOperator(scene: Scene): Promise<void> {
  const { rng, time, swarm } = scene
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, swarm.pauseMs + 50))
    const deed = rng.pickWeighted(DEEDS)
    if (deed !== 'decide') await runVerb(scene, deed)
    else if (await isAsked(scene)) await runVerb(scene, deed)
  }
}

/** Whoever decides has seen in the console that something waits. */
async function isAsked(scene: Scene): Promise<boolean> {
  const open = await call(scene, (engine) => engine.oversight.escalations())
  return open?.some(({ kind }) => kind !== 'outcome') === true
}

/** The store is opened, and checked, before anything is done; a verb that was done signs, and lets go. */
async function runVerb(scene: Scene, deed: keyof typeof DEEDS): Promise<void> {
  const { site, note } = scene
  const process = new SimProcess(site.advanceEpoch(), (where) => note(`verb ended ${where}`))
  site.registerProcess(process)
  note(`verb ${deed} ${process.epoch}`)
  process.engine = composeOperator(scene, process)
  const opened = await callProcess(process, scene, ({ context }) => openLedger(context))
  if (opened?.ok === false) site.options.refused(opened.error.code)
  if (opened?.ok === true) {
    const done = await callProcess(process, scene, (engine) => perform(scene, engine, deed))
    note(`verb ${deed} ${process.epoch}: ${done}`)
    if (done !== null) await callProcess(process, scene, (engine) => engine.stop())
  }
  if (process.alive) void process.simulateCrash('as it should')
}

/** As `createOperator` does: no rules, no sources, nothing that happens by itself. */
function composeOperator({ site, rng }: Scene, process: SimProcess): Engine {
  const { time, faults, keys, swarm, committed, ears, told, watched, exposed } = site.options
  const { clock } = rng.pick(site.machines)
  const book = buildRuleBook([], [], sha256)
  if (!book.ok) throw new Error(book.error.summary)
  return new Engine(
    {
      tenant: TENANT,
      audience: 'rubicon',
      store: createStormStore({
        tenant: TENANT,
        tables: site.tables,
        time,
        clock: watched ? site.server : clock,
        faults,
        process,
        shared: { isGone: (epoch) => site.isGone(epoch) },
        exposed,
        committed,
      }),
      clock: clock.createProcessClock(process, rng.drawBelow(DAY_MS)),
      zones: systemZones,
      random: site.options.rng,
      signer: keys.signer,
      checker: keys.checker,
      headKey: keys.createEpochHeadKey(process.epoch),
      sources: [],
      tokenizer: async () => words,
      sinks: [site.createCheckpointSink(process)],
      failpoints: createStormFailpoints({
        time,
        faults,
        process,
        hits: site.hits,
        freeze: () => freeze(process, time),
      }),
      sha256,
      book: book.value,
      ...ears.telemetry,
      ...buildSideDeps({ time, faults, swarm, process, advised: null, told }),
    },
    { background: false },
  )
}

/** Longer than others wait before they take it for dead. */
const FROZEN_MS = 15_000

function freeze(process: SimProcess, time: Scene['time']): void {
  process.freeze(time.getElapsedMs())
  time.schedule(FROZEN_MS, () => process.thaw())
}

async function perform(scene: Scene, engine: Engine, deed: keyof typeof DEEDS): Promise<string> {
  const { rng, opened } = scene
  const agent_id = rng.pick(EVERYBODY)
  switch (deed) {
    case 'suspend':
    case 'reactivate': {
      const to = deed === 'suspend' ? 'SUSPENDED' : 'ACTIVE'
      const move = { agent_id, to, actor: 'operator', justification: 'at a terminal' } as const
      return toCode(await engine.moveAgent(move))
    }
    case 'revoke': {
      const recent = opened.slice(-8)
      if (recent.length === 0) return 'nothing'
      const { id } = rng.pick(recent).writ
      const done = await engine.revoke({ target: 'writ', id, reason: 'at a terminal' })
      if (done.ok) scene.acknowledge({ kind: 'revoked', seq: done.value.seq, target: id })
      return toCode(done)
    }
    case 'settle':
      return settleSomething(scene, engine)
    case 'put_right': {
      const dirty = await engine.oversight.dirtyFlows()
      if (dirty.length === 0) return 'nothing'
      const word = buildWord(scene, rng.pick(['applied', 'abandon'] as const))
      return toCode(await engine.oversight.resolveDirty(rng.pick(dirty).key, word))
    }
    case 'decide':
      return decideSomething(scene, engine)
  }
}

/** Nobody looks into the books of the provider here: it is given up as it is. */
async function settleSomething(scene: Scene, { oversight }: Engine): Promise<string> {
  const steps = [...scene.site.tables.executions.values()].flatMap((rows) => [...rows.values()])
  const open = steps.filter(({ status }) => status === 'MANUAL_REVIEW')
  if (open.length === 0) return 'nothing'
  const { dfid, step_id } = scene.rng.pick(open)
  return toCode(await oversight.resolveExecution(dfid, step_id, buildWord(scene, 'abandon')))
}

/** What is approved here is carried out by whoever has the capability. */
async function decideSomething(scene: Scene, { oversight }: Engine): Promise<string> {
  const { rng } = scene
  const open = (await oversight.escalations()).filter(({ kind }) => kind !== 'outcome')
  if (open.length === 0) return 'nothing'
  const { id } = rng.pick(open)
  const view = await oversight.escalation(id)
  if (view === null) return 'gone'
  const word = rng.pickWeighted({ OVERRIDE: 3, ABORT: 1 })
  const decision = buildDecision(scene, view.request, word)
  const approver = rng.pick(APPROVERS)
  const by = { kind: 'person', principal: approver } as const
  const decided = await oversight.decideEscalation(id, decision, by)
  if (decided.ok) {
    scene.acknowledge({ kind: 'decided', request: id, approver, word })
    const { answer } = decided.value
    if (answer !== undefined) scene.acknowledge({ kind: 'answered', answer })
  }
  return toCode(decided)
}

function buildWord({ rng }: Scene, outcome: Resolution['outcome']): Resolution {
  return {
    outcome,
    evidence: { books: createCanary('evidence') },
    justification: createCanary('decision'),
    by: rng.pick(APPROVERS),
  }
}

function toCode(done: {
  readonly ok: boolean
  readonly error?: { readonly code: string }
}): string {
  return done.error?.code ?? 'done'
}
