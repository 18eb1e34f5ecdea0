/**
 * `rubicon bench hold`: a server that others try to keep busy. 4,096 connections that hold on, 300 that
 * pipeline and read nothing, drafts that take for ever and a noisy agent, all at once, from a process of its own,
 * against a real `rubicon up`. Meanwhile a quiet agent works and an operator stops agents. With `--with-readers` there
 * are also auditors who leave long answers unread, try large decisions and ask for bundles without end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Caller, type CallerReply, type Credentials } from './hold-caller.ts'
import { buildHoldContract, NOISY, QUIET, STOPPED } from './hold-cast.ts'
import { type Attack, type AttackReport, HOLD_PARTS, STRANGERS } from './hold-parts.ts'
import { type HoldCast, type HoldServer, prepareCast, startServer } from './hold-server.ts'
import { makeLongFlow, work } from './hold-work.ts'
import { computePercentile, roundFigure } from './measure.ts'

export type HoldOptions = {
  readonly seconds: number
  /** Of `HOLD_PARTS`; those of strangers when nobody says. */
  readonly only?: readonly string[]
  /** What auditors can do, too. */
  readonly withReaders?: boolean
  readonly note: (text: string) => void
}

export type HoldReport = {
  readonly seconds: number
  readonly parts: readonly string[]
  /** Of the quiet agent before it begins: what the machine itself takes. */
  readonly calm_p99_ms: number
  /** Requests of the quiet agent, and those that were not answered as they should be. */
  readonly quiet: { readonly requests: number; readonly failed: number }
  readonly quiet_p50_ms: number
  readonly quiet_p99_ms: number
  /** The slowest of so many, and those after which the agent was not stopped. */
  readonly suspensions: { readonly asked: number; readonly failed: number }
  readonly suspension_ms: number
  readonly rss_mb: number
  /** From the end of it all until everything is answered. */
  readonly served_again_ms: number
  /** What was done to it. */
  readonly load: AttackReport
  readonly ok: boolean
}

const BARS = { quietMs: 1_000, suspensionMs: 500, rssMb: 1_000, servedAgainMs: 5_000 } as const
const WARM_UP_MS = 3_000
/** Whatever is not served by then is not served. */
const PATIENCE_MS = 30_000

export async function runHoldBench(options: HoldOptions): Promise<HoldReport> {
  const { withReaders = false, only = withReaders ? HOLD_PARTS : STRANGERS, note } = options
  const strange = only.find((part) => !HOLD_PARTS.includes(part))
  if (strange !== undefined)
    throw new Error(`\`${strange}\` is no part of it: use some of ${HOLD_PARTS.join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  try {
    note('making a store with agents and people')
    const cast = await prepareCast(folder)
    const server = await startServer(folder)
    try {
      return await hold({ ...options, ...cast, ...server, folder, parts: only })
    } finally {
      server.child.kill('SIGTERM')
      await once(server.child, 'close')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Holding = HoldCast &
  HoldServer &
  HoldOptions & { readonly folder: string; readonly parts: readonly string[] }

async function hold(it: Holding): Promise<HoldReport> {
  const { url, seconds, parts, note } = it
  const quiet = new Caller(url, '127.3.0.1', await obtainCredentials(it, QUIET))
  const stopped = new Map<string, Credentials>()
  for (const agent of STOPPED) stopped.set(agent, await obtainCredentials(it, agent))
  const noisy = await obtainCredentials(it, NOISY)
  const toCredentials = (token: string): Credentials => ({ token })
  const people = {
    auditors: it.auditors.map(toCredentials),
    readers: it.readers.map(toCredentials),
    trier: toCredentials(it.trier),
    taker: toCredentials(it.taker),
  }
  // So that there is a past to be judged again, and to see how busy the machine is with something else.
  const calm: CallerReply[] = []
  for (let i = 0; i < 200; i += 1) calm.push(...(await work(quiet)))
  const auditor = new Caller(url, '127.3.0.3', people.auditors[0])
  const past = await makeLongFlow(quiet, auditor)
  auditor.close()
  const attacker = startAttack(it.folder, { url, parts, ...people, noisy, ...past })
  note(`${parts.join(', ')} at once for ${seconds} s`)
  await after(WARM_UP_MS)
  const memory = watchMemory(it.child)
  const until = performance.now() + seconds * 1000
  const [worked, stops] = await Promise.all([workUntil(quiet, until), stopEach(it, stopped, until)])
  attacker.child.kill('SIGKILL')
  const ended = performance.now()
  await awaitService(it, quiet, past.dfid)
  const served_again_ms = roundFigure(performance.now() - ended)
  const rss_mb = memory.stop()
  quiet.close()
  const report = {
    seconds,
    parts,
    calm_p99_ms: roundFigure(computePercentile(listDurations(calm), 0.99)),
    quiet: { requests: worked.length, failed: countFailed(worked) },
    quiet_p50_ms: roundFigure(computePercentile(listDurations(worked), 0.5)),
    quiet_p99_ms: roundFigure(computePercentile(listDurations(worked), 0.99)),
    suspensions: { asked: stops.length, failed: countFailed(stops) },
    suspension_ms: roundFigure(Math.max(...listDurations(stops))),
    rss_mb,
    served_again_ms,
    load: attacker.report(),
  }
  return { ...report, ok: isOk(report) }
}

function isOk(report: Omit<HoldReport, 'ok'>): boolean {
  return (
    Object.keys(report.load).length >= report.parts.length &&
    report.quiet.failed === 0 &&
    report.suspensions.failed === 0 &&
    report.quiet_p99_ms < BARS.quietMs &&
    report.suspension_ms < BARS.suspensionMs &&
    report.rss_mb < BARS.rssMb &&
    report.served_again_ms < BARS.servedAgainMs
  )
}

async function obtainCredentials(
  { url, handshakeOf, keys }: Holding,
  agent: string,
): Promise<Credentials> {
  const caller = new Caller(url, '127.3.0.2')
  const shaken = await caller.ask('POST', '/v1/agents/handshake', await handshakeOf(agent))
  caller.close()
  const held = keys.get(agent)
  if (shaken.status !== 200 || held === undefined)
    throw new Error(`${agent} is not let in: ${JSON.stringify(shaken.body)}`)
  const { key, private_key } = held
  return { token: shaken.body.session_token, key_id: key.key_id, private_key }
}

async function workUntil(caller: Caller, until: number): Promise<readonly CallerReply[]> {
  const replies: CallerReply[] = []
  while (performance.now() < until) {
    replies.push(...(await work(caller)))
    await after(50)
  }
  return replies
}

/** Each over a connection of its own, as somebody would who comes to stop it. */
async function stopEach(
  { url, operator }: Holding,
  agents: ReadonlyMap<string, Credentials>,
  until: number,
): Promise<readonly CallerReply[]> {
  const replies: CallerReply[] = []
  const everyMs = (until - performance.now()) / (agents.size + 1)
  for (const [agent, credentials] of agents) {
    // As late as it should be, however long those before took.
    const at = until - everyMs * (agents.size - replies.length)
    await after(Math.max(0, at - performance.now()))
    // Where each takes for ever, the rest would tell nothing new.
    if (performance.now() > until) break
    const caller = new Caller(url, '127.4.0.1', { token: operator })
    const body = { to: 'SUSPENDED', justification: 'it is too loud' }
    const moved = await caller.ask('POST', `/v1/agents/${agent}/transitions`, body)
    caller.close()
    const late = new Caller(url, '127.4.0.2', credentials)
    const [refused] = await work(late)
    late.close()
    // It is stopped if it is refused from now on, not if somebody says so.
    const isStopped = moved.status === 200 && refused !== undefined && refused.status >= 400
    replies.push({ ...moved, status: isStopped ? 200 : 0 })
  }
  return replies
}

function startAttack(
  folder: string,
  attack: Attack,
): { readonly child: ChildProcess; readonly report: () => AttackReport } {
  const path = join(folder, 'attack.json')
  // Its keys are of a store that is thrown away, and yet nobody else's to read.
  writeFileSync(path, JSON.stringify(attack), { mode: 0o600 })
  const program = fileURLToPath(new URL('./hold-attack.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = '{}'
  child.stdout.on('data', (text) => {
    last = String(text).trimEnd().split('\n').at(-1) ?? last
  })
  return { child, report: () => JSON.parse(last) as AttackReport }
}

/** The most that the process had, in megabytes. */
function watchMemory({ pid }: ChildProcess): { readonly stop: () => number } {
  let most = 0
  const look = (): void => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    most = Math.max(most, Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
  }
  const timer = setInterval(look, 200)
  return {
    stop() {
      clearInterval(timer)
      look()
      return roundFigure(most)
    },
  }
}

/** Until a stranger, an auditor who tries or takes something, and the quiet agent are answered in one go. */
async function awaitService(
  { url, auditors }: Holding,
  quiet: Caller,
  dfid: string,
): Promise<void> {
  const [token = ''] = auditors
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const anybody = new Caller(url, '127.7.0.1')
    const auditor = new Caller(url, '127.7.0.2', { token })
    const cedar = { name: 'draft', text: 'forbid(principal, action, resource);' }
    const answers = await Promise.all([
      anybody.ask('GET', '/readyz'),
      auditor.ask('GET', '/v1/flows'),
      auditor.ask('GET', `/v1/bundles/${dfid}`),
      auditor.ask('GET', '/v1/ledger/export?from=0&limit=100'),
      auditor.ask('POST', '/v1/playground', { last: 10, cedar }),
      auditor.ask('POST', '/v1/contracts/check', {
        source: JSON.stringify(buildHoldContract(QUIET)),
      }),
      work(quiet).then((replies) => replies.at(-1)),
    ])
    anybody.close()
    auditor.close()
    if (answers.every((answer) => answer?.status === 200)) return
    await after(20)
  }
}

function listDurations(replies: readonly CallerReply[]): readonly number[] {
  return replies.map(({ ms }) => ms)
}

function countFailed(replies: readonly CallerReply[]): number {
  return replies.filter(({ status }) => status < 200 || status >= 300).length
}
