/**
 * `rubicon bench context`: what it costs to compile a context on SQLite, for an agent with a long
 * session, a long memory and a few facts; then with documents to look into, too.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCurrentContract, formatInstant } from 'rubicon-kernel'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import {
  type ContextWanted,
  compileContext,
} from '../../runtime/src/engine/context/compile-context.ts'
import type { Write } from '../../runtime/src/ports/store.ts'
import { computePercentile, roundFigure } from './measure.ts'
import { CONTRACT } from './subject.ts'

type Times = { readonly p50_ms: number; readonly p99_ms: number }

export type ContextReport = Times & {
  readonly session_events: number
  readonly memory_entries: number
  readonly state_facts: number
  readonly with_documents: Times & { readonly pieces: number }
}

const AGENT = 'refunds_bot'
const SESSION_EVENTS = 10_000
const MEMORY_ENTRIES = 1_000
const STATE_FACTS = 20
const PAGES = 100
const ROUNDS = 2_000
const WARM_UP = 500
const AT_ONCE = 1_000

export async function runContextBench(): Promise<ContextReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  const runtime = await createRuntime({
    store: `sqlite:${join(folder, 'bench.db')}`,
    stateDirectory: join(folder, 'state'),
    background: false,
  })
  try {
    await runtime.deploy(CONTRACT)
    const wanted = await fill(runtime)
    const plain = await measure(runtime, wanted)
    const text = Array.from({ length: PAGES }, (_, i) => generatePage(i)).join('\n\n')
    const { chunks: pieces } = await runtime.artifact({ name: 'rules', title: 'Rules', text })
    return {
      ...plain,
      session_events: SESSION_EVENTS,
      memory_entries: MEMORY_ENTRIES,
      state_facts: STATE_FACTS,
      with_documents: { ...(await measure(runtime, wanted)), pieces },
    }
  } finally {
    await runtime.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(runtime: Runtime, wanted: ContextWanted): Promise<Times> {
  const times: number[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const started = performance.now()
    const compiled = await compileContext(runtime.engine.context, wanted)
    const ms = performance.now() - started
    if (!compiled.ok || compiled.value.working.session.length !== 10)
      throw new Error('a measured context is not the one that was meant')
    if (round >= WARM_UP) times.push(ms)
  }
  return {
    p50_ms: roundFigure(computePercentile(times, 0.5)),
    p99_ms: roundFigure(computePercentile(times, 0.99)),
  }
}

/** What is remembered is of another flow. */
const BEFORE = '019c1200-0000-7000-8000-000000000000'

async function fill(runtime: Runtime): Promise<ContextWanted> {
  const trigger = 'a customer asks for a refund of order o-17'
  const { dfid } = await runtime.open({ agent: AGENT, trigger })
  const now = formatInstant(Date.now())
  await store(runtime, SESSION_EVENTS, (i) => {
    const text = `event ${i}: the customer wrote again and asks when the money will arrive`
    const body = { at: now, label: 'external', text, tokens: 16, flags: [] } as const
    return { kind: 'put_record', record: 'note', group: dfid, key: formatPlace(i), body }
  })
  await store(runtime, MEMORY_ENTRIES, (i) => {
    const decision = {
      at: now,
      dfid: BEFORE,
      attempt: i,
      policy_kind: 'REFUND',
      outcome: 'REJECTED',
    }
    const summary = `a limit of the contract is exceeded: {"max":"500","value":"${500 + i}"}`
    const body = { ...decision, reason_code: 'LIMIT_EXCEEDED', summary, tokens: 24 }
    return {
      kind: 'put_record',
      record: 'memory',
      group: AGENT,
      key: `${now}:${formatPlace(i)}`,
      body,
    }
  })
  const facts = Array.from({ length: STATE_FACTS }, (_, i) => {
    return { path: `orders.o-${i}`, value: { status: 'paid', total: `${i}.00` } }
  })
  await runtime.observe(facts)
  const deployed = findCurrentContract(
    await runtime.engine.context.authorities.loadLatest(),
    AGENT,
    now,
  )
  if (deployed === undefined) throw new Error('the contract was deployed')
  const state = facts.map(({ path }) => path)
  return { dfid, trigger, trajectory: 'main', now, deployed, state, world: [], again: true }
}

async function store(
  { store }: Runtime,
  count: number,
  write: (i: number) => Write,
): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    const writes = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) =>
      write(from + i),
    )
    await store.commit({ guards: [], writes })
  }
}

/** Some words stand on every page, most on few: so it is in documents. */
function generatePage(number: number): string {
  const words = Array.from({ length: 160 }, (_, i) => {
    const common = COMMON[(number * 7 + i) % COMMON.length]
    return i % 3 === 0 ? common : `w${(number * 31 + i * i) % 1_500}`
  })
  return `${number % 9 === 0 ? 'Refund of an order.' : 'Rule.'} ${words.join(' ')}`
}

const COMMON: readonly string[] = ['a', 'of', 'the', 'is', 'for', 'when', 'customer', 'order']

function formatPlace(i: number): string {
  return String(i).padStart(8, '0')
}
