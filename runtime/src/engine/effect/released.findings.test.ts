/** A source is asked, and before the decision is durable somebody else's effect on the same resource is over. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Answer } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { createRuntime, type Runtime } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import type { Capability } from '../../ports/capability.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import type { Executors } from '../engine-context.ts'
import { handClock } from '../flow/hand-clock.test-support.ts'

const OWED = 'bank.owed'
const ACCOUNT = 'bank.account'

type Stage = {
  readonly runtime: Runtime
  /** What the bank was told to pay. */
  readonly paid: string[]
  /** How often the bank was asked. */
  countAsked(): number
  ask(amount: string): Promise<Answer>
  /** Lets the bank answer: until then it has received what was sent, and done nothing. */
  answerAll(): void
  /** The next decision stops there, until it is let go on. */
  stopNext(point: Failpoint): { readonly reached: Promise<void>; resume(): void }
  close(): Promise<void>
}

type Options = {
  readonly store?: 'memory' | 'sqlite'
  readonly executors?: Executors
  readonly more?: Partial<Capability>
}

/** The bank owes 60, and says what is left of it whenever it is asked. */
async function stage({ store = 'memory', executors = 'inline', more }: Options): Promise<Stage> {
  const folder = temporaryFolder()
  const clock = handClock()
  const paid: string[] = []
  const answers = Promise.withResolvers<void>()
  const stops = new Map<Failpoint, () => Promise<void>>()
  let owed = 60
  let asked = 0
  const capability: Capability = {
    kind: 'REFUND',
    effect: 'unsafe',
    risk: 'medium',
    reversible: true,
    params: { type: 'object' },
    measures: { amount: (params) => params.amount },
    resources: () => [{ id: 'account', amount: '1' }],
    reads: () => ({ state: [OWED, ACCOUNT] }),
    precondition: ({ amount }, view) =>
      Number(view.state(OWED)?.value) >= Number(amount) ? null : 'that much is not owed',
    execute: async ({ params }) => {
      await answers.promise
      owed -= Number(params.amount)
      paid.push(String(params.amount))
      return { result: 'done', receipt: 'r-1' }
    },
    ...more,
  }
  const runtime = await createRuntime({
    store: store === 'memory' ? 'memory' : `sqlite:${join(folder, 'store.db')}`,
    stateDirectory: join(folder, 'state'),
    capabilities: [capability],
    clock,
    executors,
    background: false,
    sources: [
      {
        source_id: 'bank',
        label: 'trusted',
        paths: ['bank.*'],
        async read() {
          asked += 1
          const observed_at = new Date(clock.now()).toISOString()
          const said = { observed_at, version: String(asked) }
          return [
            { ...said, path: OWED, value: owed },
            { ...said, path: ACCOUNT, value: 'account' },
          ]
        },
      },
    ],
    failpoints: {
      async reach(point) {
        const stop = stops.get(point)
        stops.delete(point)
        await stop?.()
      },
    },
  })
  await runtime.deploy(CONTRACT)
  return {
    runtime,
    paid,
    countAsked: () => asked,
    async ask(amount) {
      const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
      return flow.propose({ policy_kind: 'REFUND', params: { amount } })
    },
    answerAll: () => answers.resolve(),
    stopNext(point) {
      const reached = Promise.withResolvers<void>()
      const resumed = Promise.withResolvers<void>()
      stops.set(point, () => {
        reached.resolve()
        return resumed.promise
      })
      return { reached: reached.promise, resume: resumed.resolve }
    },
    async close() {
      const lines: string[] = []
      await runtime.engine.checkpoint()
      await exportLedger(runtime.store, (line) => void lines.push(line))
      assert.deepEqual(verifyAny(lines.join(''), nodeCrypto).findings, [], 'the ledger verifies')
      await runtime.close()
    },
  }
}

/** The second is judged while the first is under way, and made durable when the first is settled. */
async function overtake(
  it: Stage,
  [amount, other]: readonly [string, string],
  point: Failpoint = 'dispatch.before_commit',
): Promise<Answer> {
  const dispatched = it.stopNext('dispatch.after_commit')
  const first = it.ask(amount)
  await dispatched.reached
  const late = it.stopNext(point)
  const second = it.ask(other)
  await late.reached
  dispatched.resume()
  it.answerAll()
  assert.equal((await first).execution?.status, 'SUCCESS')
  late.resume()
  return second
}

for (const store of ['memory', 'sqlite'] as const) {
  test(`nothing is sent on what a source said before the last effect on the resource was over, in ${store}`, async () => {
    const it = await stage({ store })
    const second = await overtake(it, ['60', '60'])
    assert.equal(second.reason_code, 'PRECONDITION_FAILED')
    assert.deepEqual(it.paid, ['60'])
    await it.close()
  })
}

test('nor of a resource that several hold at a time, whose capacity is what the source said', async () => {
  const more: Partial<Capability> = {
    resources: ({ amount }, view) => [
      { id: 'account', amount: String(amount), capacity: String(view.state(OWED)?.value) },
    ],
  }
  for (const executors of ['inline', 'separate'] as const) {
    const it = await stage({ executors, more: { ...more, precondition: () => null } })
    const second = await overtake(it, ['30', '60'], 'propose.after_compile')
    assert.equal(second.reason_code, 'INSUFFICIENT_LIQUIDITY')
    assert.deepEqual(it.paid, ['30'])
    assert.equal((await it.ask('30')).execution?.status, 'SUCCESS')
    await it.close()
  }
})

test('nor where only the source can say which resource it is', async () => {
  const more: Partial<Capability> = {
    resources: (_, view) => {
      const account = view.state(ACCOUNT)
      if (account === undefined) throw new Error('nobody knows the account')
      return [{ id: String(account.value), amount: '1' }]
    },
  }
  const it = await stage({ more })
  const second = await overtake(it, ['60', '60'])
  assert.equal(second.reason_code, 'PRECONDITION_FAILED')
  assert.deepEqual(it.paid, ['60'])
  await it.close()
})

test('what is still owed after the other effect is paid, on what the source says then', async () => {
  const it = await stage({})
  assert.equal((await overtake(it, ['30', '30'])).execution?.status, 'SUCCESS')
  assert.deepEqual(it.paid, ['30', '30'])
  await it.close()
})

test('a source is asked once where nobody acted, and again where somebody did', async () => {
  const it = await stage({})
  it.answerAll()
  assert.equal((await it.ask('10')).execution?.status, 'SUCCESS')
  assert.equal(it.countAsked(), 1)
  assert.equal((await it.ask('10')).execution?.status, 'SUCCESS')
  assert.equal(it.countAsked(), 2)
  await it.close()
  const overtaken = await stage({})
  await overtake(overtaken, ['30', '30'])
  assert.equal(overtaken.countAsked(), 3)
  await overtaken.close()
})
