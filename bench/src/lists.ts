/**
 * `rubicon bench lists`: how long each list takes over the API, by itself and with each of its filters,
 * and how long the slowest page takes of a list that is read to its end. What the search index answers is asked for once that has everything.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { ask, type HttpPlace } from '../../server/src/http/agent-auth/client.ts'
import { AGENTS } from './fill-cast.ts'
import { computePercentile, roundFigure } from './measure.ts'
import { buildSearchedLists } from './searched-lists.ts'
import { type BenchPlace, greetAgents, serveBench, toHttpPlace } from './served.ts'

export type ListTime = {
  readonly path: string
  readonly rows: number
  readonly p50_ms: number
  readonly max_ms: number
  /** Of the processor, in the middle: of the server, and of who asks, which is in the same process. */
  readonly cpu_ms: number
  /** Of a list that was read to its end. */
  readonly pages?: number
}

export type ListsReport = {
  readonly flows: number
  readonly entries: number
  readonly slowest_ms: number
  readonly lists: readonly ListTime[]
}

const ROUNDS = 7
const [AGENT = ''] = AGENTS

/** Lists, and what they are asked for. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  '/v1/flows': [
    '',
    'limit=1000',
    'state=CLOSED',
    'state=ABORTED',
    'state=ESCALATED',
    'state=ACTIVE,ESCALATED,EXECUTING',
    'state=ACTIVE,ABORTED',
    'state=VALIDATING',
    'tag=DIRTY',
    `agent=${AGENT}`,
    `agent=${AGENT}&state=ABORTED`,
    `agent=${AGENT}&state=ESCALATED`,
    `agent=${AGENT}&state=VALIDATING`,
    'agent=nobody',
    'parent=nobody',
  ],
  '/v1/executions': [
    '',
    'limit=1000',
    'status=SUCCESS',
    'status=FAILED',
    'status=ABANDONED',
    'status=MANUAL_REVIEW',
    'status=UNKNOWN',
    `agent=${AGENT}`,
    `agent=${AGENT}&status=FAILED`,
    `agent=${AGENT}&status=MANUAL_REVIEW`,
    'agent=nobody',
    'agent=nobody&status=SUCCESS',
  ],
  '/v1/escalations': [
    '',
    'state=closed',
    `agent=${AGENT}`,
    `state=closed&agent=${AGENT}`,
    'state=closed&agent=nobody',
    'state=closed&impact=HIGH_IMPACT',
  ],
  '/v1/inbox': ['', 'tab=fast', 'tab=team', 'tab=decided', 'tab=expired'],
  '/v1/agents': [''],
  '/v1/monitors': [''],
  '/v1/writs': ['', `agent=${AGENT}`],
  '/v1/decisions': ['', `agent=${AGENT}`, 'outcome=REJECTED', 'kind=PAY_OUT', 'agent=nobody'],
  '/v1/trajectories': [''],
  '/v1/trajectories/main/entries': ['', 'limit=1000'],
  '/v1/trajectories/main/world': ['', 'kind=refund', 'kind=nothing'],
  '/v1/trajectories/main/changes': ['kind=refund&resource=re_o_0'],
  '/v1/ledger/entries': ['', 'q=kind:settle', `q=agent:${AGENT}`, 'q=code:LIMIT_EXCEEDED', 'q=1'],
}

/** Read to their end, a thousand rows at a time. */
const WALKED: readonly string[] = [
  '/v1/flows?limit=1000',
  `/v1/flows?limit=1000&agent=${AGENT}`,
  '/v1/executions?limit=1000',
  `/v1/executions?limit=1000&agent=${AGENT}`,
  '/v1/escalations?limit=1000&state=closed',
  '/v1/trajectories/main/entries?limit=1000',
  '/v1/trajectories/main/world?limit=1000',
]

export async function runListsBench(
  options: BenchPlace & { readonly note: (text: string) => void },
): Promise<ListsReport> {
  const server = await serveBench(options, 1)
  try {
    const { runtime, url, people } = server
    const person = { url, token: people[0] ?? '' }
    const lists: ListTime[] = []
    const tell = (time: ListTime): void => {
      lists.push(time)
      const [max, cpu] = [time.max_ms, time.cpu_ms].map((ms) => String(ms).padStart(7))
      options.note(`${max} ms  ${cpu} ms of a processor  ${time.path}`)
    }
    await awaitIndex(person)
    for (const lists of [LISTS, buildSearchedLists(Date.now())])
      for (const [path, queries] of Object.entries(lists))
        for (const query of queries)
          tell(await measureList(person, query === '' ? path : `${path}?${query}`))
    for (const path of WALKED) tell(await walkList(person, path))
    const [agent] = await greetAgents(server)
    // An agent sees its own.
    if (agent !== undefined)
      tell(await measureList(toHttpPlace(server, agent), '/v1/flows?limit=1000'))
    return {
      flows: await runtime.store.countRows({ of: 'flows', state: ['CLOSED', 'ABORTED', 'ACTIVE'] }),
      entries: await runtime.store.countLeaves(),
      slowest_ms: Math.max(...lists.map(({ max_ms }) => max_ms)),
      lists,
    }
  } finally {
    await server.close()
  }
}

const WAITS_MS = 900_000
const ASKS_EVERY_MS = 500

async function awaitIndex(place: HttpPlace): Promise<void> {
  const until = Date.now() + WAITS_MS
  for (;;) {
    const { body } = await ask(place, 'GET', '/v1/overview')
    if (body.indexed?.leaf >= body.indexed?.size) return
    if (Date.now() > until) throw new Error('the search index does not catch up')
    await wait(ASKS_EVERY_MS)
  }
}

async function measureList(place: HttpPlace, path: string): Promise<ListTime> {
  const pages: Page[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // What was found by its words is kept until somebody asks for others.
    if (path.includes('words=')) await read(place, `/v1/flows?limit=1&words=round${round}`)
    pages.push(await read(place, path))
  }
  return { path, rows: pages.at(-1)?.rows ?? 0, ...summarisePages(pages) }
}

async function walkList(place: HttpPlace, path: string): Promise<ListTime> {
  const pages: Page[] = []
  let next: string | null = null
  do {
    const at: string = next === null ? '' : `&cursor=${encodeURIComponent(next)}`
    const page = await read(place, `${path}${at}`)
    pages.push(page)
    next = page.next
  } while (next !== null)
  const rows = pages.reduce((sum, page) => sum + page.rows, 0)
  return { path, rows, pages: pages.length, ...summarisePages(pages) }
}

function summarisePages(pages: readonly Page[]): Pick<ListTime, 'p50_ms' | 'max_ms' | 'cpu_ms'> {
  const times = pages.map(({ ms }) => ms)
  const processor = pages.map(({ cpu_ms }) => cpu_ms)
  return {
    p50_ms: roundFigure(computePercentile(times, 0.5)),
    max_ms: roundFigure(Math.max(...times)),
    cpu_ms: roundFigure(computePercentile(processor, 0.5)),
  }
}

type Page = {
  readonly ms: number
  readonly cpu_ms: number
  readonly rows: number
  readonly next: string | null
}

async function read(place: HttpPlace, path: string): Promise<Page> {
  const [started, used] = [performance.now(), process.cpuUsage()]
  const { status, body } = await ask(place, 'GET', path)
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(used)
  if (status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(body)}`)
  const list = Object.values(body).find((member) => Array.isArray(member))
  const cpu_ms = (user + system) / 1_000
  return { ms, cpu_ms, rows: Array.isArray(list) ? list.length : 0, next: body.next ?? null }
}
