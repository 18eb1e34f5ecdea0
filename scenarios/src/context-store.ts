/**
 * What an agent is shown: State, its session, its memory and documents, chosen by rule. The same
 * records give the same snapshot id on every store; what does not fit is left out, and said so.
 */
import { join } from 'node:path'
import type { Answer, ContextBudget, WorkingContext } from 'rubicon-kernel'
import { LIMITS, MAIN, parseInstant } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import { compileContext } from 'rubicon-runtime/engine/context'
import type { Random } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import { refundCapability } from '../../server/src/demo/refunds.ts'
import { createMovableClock, type Scenario, type Stage } from '../../server/src/demo/stage.ts'

const AGENT = 'support_agent'
const STATE = ['customer.*', 'order.*']
const DOCUMENTS = [
  [
    'refund-rules',
    'Refunds',
    'A refund is paid within 14 days. Gold customers get a refund at once.',
  ],
  ['fees', 'Fees', 'An order that is returned late costs a fee, unless the refund was refused.'],
  ['returns', 'Returns', 'Parcels go back to the warehouse. The customer keeps the receipt.'],
] as const

/** Everything that was seen, in order. */
type Told = {
  readonly paid: Answer
  readonly refused: Answer
  readonly looks: readonly WorkingContext[]
  readonly shrunk: readonly Shrunk[]
}

export const scenario: Scenario = { name: 'context-store', play }

async function play(stage: Stage): Promise<void> {
  const first = await tell(stage, 'first', stage.store)
  stage.recordDecision('REFUND 20.00: it will be remembered', first.paid, { outcome: 'ACCEPTED' })
  stage.recordDecision('REFUND 900.00: this too', first.refused, {
    outcome: 'REJECTED',
    reason_code: 'LIMIT_EXCEEDED',
  })
  const [opened, windowed, last, again, moved] = first.looks
  showLayers(stage, opened, windowed, last)
  stage.check('looking again a second later: the same id', again?.snapshot_id === last?.snapshot_id)
  stage.check('a fact has changed: another id', moved?.snapshot_id !== last?.snapshot_id)
  showBudget(stage, first.shrunk)

  const memory = await tell(stage, 'memory', 'memory')
  stage.addInfo(`the same clock, ids and words on another store: ${last?.snapshot_id}`)
  const [left, right] = [first, memory].map(({ looks }) => looks.map((look) => look.snapshot_id))
  stage.check(
    'every look has the same snapshot id',
    left?.length === 5 && left.join() === right?.join(),
  )
}

/** One day of an agent. */
async function tell(stage: Stage, name: string, store: string): Promise<Told> {
  const clock = createMovableClock(parseInstant('2026-03-02T10:00:00.000Z'))
  const runtime = await stage.openRuntime({
    store,
    stateDirectory: join(stage.folder, `state-${name}`),
    clock,
    random: createCountingRandom(),
    background: false,
    sources: [
      { source_id: 'crm', label: 'operator', paths: ['customer.*'] },
      { source_id: 'shop', label: 'operator', paths: ['order.*'] },
    ],
    capabilities: [refundCapability([])],
  })
  await runtime.deploy(
    buildContract(AGENT, ['REFUND'], {
      mission: 'Answer customers who ask for a refund.',
      permissions: { max_refund_usd: '500.00' },
    }),
  )
  for (const [document, title, text] of DOCUMENTS)
    await runtime.artifact({ name: document, title, text })
  await runtime.observe([
    { path: 'customer.tier', value: 'gold', source: 'crm' },
    { path: 'order.o_7', value: { price: '20.00' }, source: 'shop' },
  ])
  const paid = await refund(runtime, '20.00')
  const refused = await refund(runtime, '900.00')

  const flow = await runtime.open({ agent: AGENT, trigger: 'refund for o_7?', state: STATE })
  const looks = [flow.context]
  await flow.note('note 0, a day ago')
  clock.ahead(LIMITS.contextWindowMs)
  const say = async (from: number, to: number): Promise<void> => {
    for (let number = from; number <= to; number++) {
      clock.ahead(1_000)
      await flow.note(`note ${number}`)
    }
  }
  await say(1, 3)
  looks.push(await flow.refresh())
  await say(4, 12)
  looks.push(await flow.refresh())
  clock.ahead(1_000)
  looks.push(await flow.refresh())
  const shrunk = await shrink(runtime, flow)
  await runtime.observe({ path: 'customer.tier', value: 'silver', source: 'crm' })
  looks.push(await flow.refresh())
  await stage.close(runtime)
  return { paid, refused, looks, shrunk }
}

async function refund(runtime: Runtime, amount: string): Promise<Answer> {
  const flow = await runtime.open({ agent: AGENT, trigger: 'an earlier ticket' })
  return flow.propose({ policy_kind: 'REFUND', params: { order: 'o_1', amount } })
}

function showLayers(
  stage: Stage,
  opened: WorkingContext | undefined,
  windowed: WorkingContext | undefined,
  last: WorkingContext | undefined,
): void {
  const paths = opened?.state.map(({ path }) => path).join(', ')
  stage.check(`State: ${paths}`, paths === 'customer.tier, order.o_7')
  const memory = opened?.memory.map(({ outcome }) => outcome).join(', ')
  stage.check(`Memory: ${memory}`, memory === 'SUCCESS, REJECTED')
  const documents = opened?.artifacts.map(({ artifact }) => artifact).join(', ')
  const isBest = documents === 'refund-rules, fees'
  stage.check(`Artifacts, of three those about refunds, best first: ${documents}`, isBest)
  const recent = windowed?.session.map(({ text }) => text).join(', ')
  stage.check(`Session, of the last day: ${recent}`, recent === 'note 1, note 2, note 3')
  const [first, ...others] = last?.session.map(({ text }) => text) ?? []
  const isTen = first === 'note 3' && others.length === 9 && others.at(-1) === 'note 12'
  stage.check('Session, of 12 notes of the last day: the last 10', isTen)
}

type Shrunk = { readonly left: readonly number[]; readonly budget: ContextBudget } | string

/** One token less than is used, again and again: what goes next? */
async function shrink(
  { engine, store }: Runtime,
  { dfid, context }: Flow,
): Promise<readonly Shrunk[]> {
  const { trigger, contract_hash } = context
  const deployed = (await engine.context.authorities.loadLatest()).contracts.get(AGENT)?.at(-1)
  if (deployed?.hash !== contract_hash) throw new Error('the contract of the flow is in force')
  const { now } = await store.readNow(MAIN)
  const flow = { dfid, trigger, trajectory: MAIN, now, deployed, again: true } as const
  const wanted = { ...flow, state: STATE, world: [] }
  const steps: Shrunk[] = []
  for (let tokens = context.budget.used; ; ) {
    const compiled = await compileContext({ ...engine.context, contextTokens: tokens }, wanted)
    if (!compiled.ok) return [...steps, compiled.error.code]
    const { artifacts, memory, session, budget } = compiled.value.working
    steps.push({ left: [artifacts.length, memory.length, session.length], budget })
    tokens = budget.used - 1
  }
}

function showBudget(stage: Stage, shrunk: readonly Shrunk[]): void {
  const left = shrunk.map((step) => (typeof step === 'string' ? step : step.left.join('/')))
  stage.addInfo(`a token less each time, documents/decisions/notes: ${left.join(' ')}`)
  const documents = ['2/2/10', '1/2/10', '0/2/10']
  const decisions = ['0/1/10', '0/0/10']
  const notes = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((count) => `0/0/${count}`)
  const rule = [...documents, ...decisions, ...notes, 'CONTEXT_OVER_BUDGET']
  stage.check(
    'over budget go documents from the worst, decisions and notes from the oldest, one by one',
    left.join() === rule.join(),
  )
  const within = shrunk.every(
    (step) => typeof step === 'string' || step.budget.used <= step.budget.tokens,
  )
  stage.check('no context is over its budget; without the newest note there is none', within)
}

/** Ids that two runs have in common. */
function createCountingRandom(): Random {
  let thrown = 0
  return {
    bytes(length) {
      const bytes = new Uint8Array(length)
      thrown += 1
      new DataView(bytes.buffer).setUint32(length - 4, thrown)
      return bytes
    },
  }
}
