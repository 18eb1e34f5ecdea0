/** The same decisions on three stores. What was decided, and the World it left, do not depend on it. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Answer, MAIN } from 'rubicon-kernel'
import { borrowPostgres, type Flow, RubiconError, type Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import { verifyFile, writeLedgerOf } from '../../server/src/demo/ledger-file.ts'
import { buildRefundsContract, refundCapability } from '../../server/src/demo/refunds.ts'
import type { ExpectedAnswer, Scenario, Stage, StageStore } from '../../server/src/demo/stage.ts'
import { NO_POSTGRES } from './no-postgres.ts'

type StorePlace = { readonly store: string; readonly tenant?: string }
type Place = StorePlace & { readonly name: string }

type Run = {
  readonly verdicts: readonly object[]
  readonly world: string
  readonly calls: number
}

/** Where the stage is on a server already, nobody starts another. */
const OWN_SERVER = { address: '', giveBack: async () => {} }

export const scenario: Scenario = { name: 'postgres-store', play }

async function play(stage: Stage): Promise<void> {
  const { storeName, store, tenant } = stage
  const server = storeName === 'postgres' ? OWN_SERVER : await borrowPostgres()
  if (server === null) throw new RubiconError(NO_POSTGRES)
  try {
    const own: Partial<Record<StageStore, StorePlace>> = { [storeName]: { store, tenant } }
    const { memory: inMemory = { store: 'memory' }, sqlite: inFile, postgres: onServer } = own
    const file = { store: `sqlite:${join(stage.folder, 'other.db')}` }
    // A database that somebody named may hold more than this: a tenant of its own.
    const database = { store: server.address, tenant: `demo-${randomUUID()}` }
    const memory = await playOnStore(stage, { name: 'memory', ...inMemory })
    const sqlite = await playOnStore(stage, { name: 'SQLite', ...(inFile ?? file) })
    const postgres = await playOnStore(stage, { name: 'Postgres', ...(onServer ?? database) })
    for (const { name, other } of [
      { name: 'SQLite', other: sqlite },
      { name: 'Postgres', other: postgres },
    ]) {
      const same = isDeepStrictEqual(other.verdicts, memory.verdicts)
      stage.check(`${name} decided what memory decided, verdict by verdict`, same)
      stage.check(`${name} holds the same World: ${other.world}`, other.world === memory.world)
      stage.check(`${name} made as many calls`, other.calls === memory.calls)
    }
  } finally {
    await stage.end()
    await server.giveBack()
  }
}

async function playOnStore(stage: Stage, { name, ...place }: Place): Promise<Run> {
  const provider: Provider = { calls: [], answers: Promise.resolve() }
  const runtime = await stage.openRuntime({
    ...place,
    stateDirectory: join(stage.folder, `state-${name}`),
    capabilities: [openTill, refundFromTill(provider)],
  })
  await runtime.deploy(buildRefundsContract())
  await runtime.deploy(buildContract('cashier', [openTill.kind]))
  const verdicts: object[] = []
  for await (const { summary, answer, wanted } of playMoves(runtime, provider)) {
    stage.recordDecision(`${name}: ${summary}`, answer, wanted)
    verdicts.push(toVerdict(answer))
  }
  const [main] = (await runtime.store.listHeads()).filter(({ trajectory }) => trajectory === MAIN)
  await checkLedger(stage, runtime, name)
  await stage.close(runtime)
  return { verdicts, world: main?.world_root ?? 'none', calls: provider.calls.length }
}

type Move = { readonly summary: string; readonly answer: Answer; readonly wanted: ExpectedAnswer }

const ACCEPTED: ExpectedAnswer = { outcome: 'ACCEPTED' }
const REPEATED: ExpectedAnswer = { outcome: 'REPEATED' }
const expectRejection = (reason_code: string): ExpectedAnswer => ({
  outcome: 'REJECTED',
  reason_code,
})

async function* playMoves(runtime: Runtime, provider: Provider): AsyncGenerator<Move> {
  const till = await runtime.open({ agent: 'cashier', trigger: 'morning' })
  const opened = await till.propose({ policy_kind: openTill.kind })
  yield { summary: 'open the till', answer: opened, wanted: ACCEPTED }

  const flow = await open(runtime, 'ticket 4711')
  const paid = await refund(flow, 'o_1', '20.00')
  yield { summary: 'refund 20.00 for o_1', answer: paid, wanted: ACCEPTED }
  const again = await refund(flow, 'o_1', '20.00')
  yield { summary: 'the same again', answer: again, wanted: REPEATED }
  const changed = await refund(flow, 'o_1', '25.00')
  const mismatch = expectRejection('STEP_PARAMS_MISMATCH')
  yield { summary: 'the same step, 25.00', answer: changed, wanted: mismatch }
  const twice = await refund(await open(runtime, 'ticket 4714'), 'o_1', '20.00')
  const failed = expectRejection('PRECONDITION_FAILED')
  yield { summary: 'another flow, o_1 once more', answer: twice, wanted: failed }

  const large = await refund(await open(runtime, 'ticket 4713'), 'o_3', '1200.00')
  const ceiling: ExpectedAnswer = { outcome: 'ESCALATED', reason_code: 'AUTHORITY_CEILING' }
  yield { summary: 'refund 1,200.00 for o_3', answer: large, wanted: ceiling }
  const huge = await refund(await open(runtime, 'ticket 4712'), 'o_2', '20000.00')
  yield {
    summary: 'refund 20,000.00 for o_2',
    answer: huge,
    wanted: expectRejection('LIMIT_EXCEEDED'),
  }

  const { first, second } = await playRace(runtime, provider)
  yield { summary: 'refund 20.00 for o_4', answer: first, wanted: ACCEPTED }
  yield { summary: 'the same, while the first is under way', answer: second, wanted: REPEATED }
}

/** The provider answers the first call only after the second was made. */
async function playRace(
  runtime: Runtime,
  provider: Provider,
): Promise<{ readonly first: Answer; readonly second: Answer }> {
  const flow = await open(runtime, 'ticket 4715')
  const answered = Promise.withResolvers<void>()
  provider.answers = answered.promise
  const before = provider.calls.length
  const first = refund(flow, 'o_4', '20.00')
  while (provider.calls.length === before) await new Promise((resolve) => setImmediate(resolve))
  const second = refund(flow, 'o_4', '20.00')
  answered.resolve()
  return { first: await first, second: await second }
}

function open(runtime: Runtime, trigger: string): Promise<Flow> {
  return runtime.open({ agent: 'refunds_bot', trigger, steps: 'many' })
}

function refund(flow: Flow, order: string, amount: string): Promise<Answer> {
  return flow.propose({ policy_kind: 'REFUND', params: { order, amount } })
}

/** Ids and times are each run's own; everything else is the verdict. */
function toVerdict({ outcome, reason_code, stage, gate, disposition, execution }: Answer): object {
  return { outcome, reason_code, stage, gate, disposition, execution }
}

async function checkLedger(stage: Stage, runtime: Runtime, name: string): Promise<void> {
  const file = join(stage.folder, `ledger-${name}.ndjson`)
  await runtime.engine.checkpoint()
  await writeLedgerOf(runtime.store, file)
  stage.check(`${name}: its ledger is verified`, verifyFile(file).ok)
}

const openTill: Capability = {
  kind: 'OPEN_TILL',
  effect: 'keyed',
  risk: 'low',
  params: { type: 'object', additionalProperties: false },
  execute: () => ({ delta: [{ op: 'create', kind: 'till', id: 'main', value: { paid: '0.00' } }] }),
}

/** It answers at once, unless it is told to take its time. */
type Provider = { readonly calls: string[]; answers: Promise<void> }

/** The quickstart's refund, which also keeps the books. */
function refundFromTill(provider: Provider): Capability {
  const pay = refundCapability(provider.calls)
  return {
    ...pay,
    reads: ({ order }) => ({ world: [{ kind: 'order', id: String(order) }] }),
    precondition: ({ order }, view) =>
      view.world('order', String(order)) === undefined ? null : 'the order is refunded already',
    async execute(intent, io) {
      const { order, amount } = intent.params
      const id = String(order)
      const by = String(amount)
      const paid = await pay.execute(intent, io)
      await provider.answers
      return {
        ...paid,
        delta: [
          { op: 'create', kind: 'order', id, value: { refunded: by } },
          { op: 'increment', kind: 'till', id: 'main', field: 'paid', by },
        ],
      }
    },
  }
}
