/**
 * The other side of `bench api`, in a process of its own: sends every request when it is due, whether
 * or not others were answered, and measures from then on. Reads what to do from a file, prints what came
 * of it as JSON.
 */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { LIMITS } from 'rubicon-kernel'
import { Rng } from '../../sim/src/rng.ts'
import { Ear, type EarReport } from './api-ear.ts'
import { buildPlan, type OpenFlow, type Planned } from './api-plan.ts'
import { Wire } from './api-wire.ts'
import { computePercentile, roundFigure } from './measure.ts'
import { type HeldKey, signNow } from './sign-now.ts'

export type Load = {
  readonly url: string
  readonly people: readonly string[]
  readonly agents: readonly {
    readonly agent: string
    readonly token: string
    readonly key_id: string
    /** PKCS #8, PEM. */
    readonly private_key: string
  }[]
  /** One for each proposal. */
  readonly flows: readonly OpenFlow[]
  readonly ears: number
  readonly seed: number
  readonly seconds: number
  readonly perSecond: number
  /** What is due before is sent, and not counted. */
  readonly warmUpMs: number
}

export type Times = { readonly p50: number; readonly p99: number; readonly max: number }

export type LoadReport = {
  readonly requests: number
  readonly ms: Times
  readonly ms_of: Readonly<Record<string, Times & { readonly requests: number }>>
  readonly errors: Readonly<Record<string, number>>
  /** How many cores the load itself kept busy: where that is much, it measures itself. */
  readonly load_cores: number
  readonly events: EarReport & {
    readonly clients: number
    readonly written: number
    readonly delay_ms: Times
  }
}

/** Beside those of the load: for the last look, and for listeners whose old connection is not closed yet. */
const SPARE_CONNECTIONS = 32
const HANG_UP_EVERY_MS = 5_000
const SETTLE_MS = 500
const PATIENCE_MS = 10_000

const load = parseLoad(readFileSync(process.argv[2] ?? '', 'utf8'))
const plan = buildPlan({
  ...load,
  rng: new Rng(load.seed),
  people: load.people.length,
  agents: load.agents.map(({ agent }) => agent),
})
const { host, port } = new URL(load.url)
// All of it comes from one address, and listeners hold a connection each.
const wire = new Wire(Number(port), LIMITS.connectionsEach - load.ears - SPARE_CONNECTIONS)
const keys = load.agents.map(
  ({ key_id, private_key }): HeldKey => ({ key_id, privateKey: createPrivateKey(private_key) }),
)
const times = new Map<string, number[]>()
const errors = new Map<string, number>()

const ears = Array.from({ length: load.ears }, (_, i) => {
  return new Ear(load.url, load.people[i % load.people.length] ?? '')
})
await Promise.all(ears.map((ear) => ear.connect()))
const first = Math.min(...ears.map(({ leaf }) => leaf))
// One after the other, so that somebody is always on the way back.
let turn = 0
const disturbing = setInterval(() => {
  ears[turn % ears.length]?.hangUp()
  turn += 1
}, HANG_UP_EVERY_MS / load.ears)
const began = { at: performance.now(), cpu: process.cpuUsage() }
await sendAll()
const { user, system } = process.cpuUsage(began.cpu)
const took = performance.now() - began.at
clearInterval(disturbing)
await after(SETTLE_MS)
const last = await fetchLastLeaf()
const deadline = performance.now() + PATIENCE_MS
while (performance.now() < deadline && ears.some(({ leaf }) => leaf < last)) await after(50)
const reports = ears.map((ear) => ear.report(last))
for (const ear of ears) ear.stop()
wire.close()
console.log(JSON.stringify(buildReport(reports)))

function buildReport(heard: readonly EarReport[]): LoadReport {
  const all = [...times.values()].flat()
  const sum = (of: (report: EarReport) => number): number =>
    heard.reduce((total, report) => total + of(report), 0)
  const each = [...times].map(([kind, values]) => {
    return [kind, { requests: values.length, ...summariseTimes(values) }] as const
  })
  return {
    requests: all.length,
    ms: summariseTimes(all),
    ms_of: Object.fromEntries(each),
    errors: Object.fromEntries(errors),
    load_cores: roundFigure((user + system) / 1000 / took),
    events: {
      clients: ears.length,
      written: last - first,
      received: sum(({ received }) => received),
      lost: sum(({ lost }) => lost),
      doubled: sum(({ doubled }) => doubled),
      reconnects: sum(({ reconnects }) => reconnects),
      delay_ms: summariseTimes(ears.flatMap(({ delays }) => delays)),
    },
  }
}

function summariseTimes(values: readonly number[]): Times {
  const max = values.reduce((most, value) => Math.max(most, value), 0)
  return {
    p50: roundFigure(computePercentile(values, 0.5)),
    p99: roundFigure(computePercentile(values, 0.99)),
    max: roundFigure(max),
  }
}

function sendAll(): Promise<void> {
  const start = performance.now()
  let sent = 0
  let open = 0
  return new Promise((resolve) => {
    const finishRequest = (): void => {
      open -= 1
      if (open === 0 && sent === plan.length) resolve()
    }
    const sendDue = (): void => {
      for (;;) {
        const next = plan[sent]
        if (next === undefined || next.at > performance.now() - start) break
        sent += 1
        open += 1
        send(next, start + next.at, finishRequest)
      }
      if (sent < plan.length) setTimeout(sendDue, 1)
    }
    sendDue()
  })
}

function send(planned: Planned, due: number, done: () => void): void {
  wire.ask(requestText(planned), ({ status, text }) => {
    if (status === 0 || status >= 400) {
      const code = status === 0 ? 'CONNECTION' : parseCode(text, status)
      errors.set(code, (errors.get(code) ?? 0) + 1)
    }
    if (planned.at >= load.warmUpMs) recordTime(planned.kind, performance.now() - due)
    done()
  })
}

function requestText({ method, path, body, by }: Planned): string {
  const token = 'agent' in by ? load.agents[by.agent]?.token : load.people[by.person]
  const authorization = `Bearer ${token}`
  const key = 'agent' in by ? keys[by.agent] : undefined
  const bytes = new TextEncoder().encode(body ?? '')
  const proof =
    key === undefined ? {} : signNow(key, { method, target: path, authorization, bytes })
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const length = body === undefined ? {} : { 'content-length': bytes.length }
  const headers = { host, authorization, ...type, ...length, ...proof }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

function recordTime(kind: string, ms: number): void {
  const known = times.get(kind)
  if (known === undefined) times.set(kind, [ms])
  else known.push(ms)
}

async function fetchLastLeaf(): Promise<number> {
  const headers = { authorization: `Bearer ${load.people[0]}` }
  const response = await fetch(`${load.url}/v1/ledger/entries?limit=1`, { headers })
  return parseLeaf(await response.json())
}

function parseLeaf(body: unknown): number {
  const { entries } = body as { readonly entries: readonly { readonly leaf: number }[] }
  return entries[0]?.leaf ?? -1
}

function parseCode(text: string, status: number): string {
  try {
    return (JSON.parse(text) as { readonly code: string }).code
  } catch {
    return `HTTP_${status}`
  }
}

function parseLoad(text: string): Load {
  return JSON.parse(text) as Load
}
