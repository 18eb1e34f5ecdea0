/**
 * An MCP server by a plan: `hostile-server.ts NAME PLAN FILE`. It speaks the protocol itself, without a library, since
 * most of what it does no library would do. What its tools do is a line in the file.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { GRANTED, type ServerPlan, type ServerStep } from './server-plan.ts'

type Id = number | string
type Asked = {
  readonly id?: Id
  readonly method?: string
  readonly result?: unknown
  readonly params?: {
    readonly name?: string
    readonly arguments?: unknown
    readonly protocolVersion?: string
  }
}

/** One that nobody ends does not stay. */
const LONGEST_MS = 20_000

const [, , name = '', text = '{}', file = ''] = process.argv
const given = JSON.parse(text) as ServerPlan
const started = `${file}.${name}.started`
const plan: ServerPlan = existsSync(started) ? (given.again ?? given) : given
let lists = 0
/** One request after the other, as a program without threads would. */
let work = Promise.resolve()

function say(message: object): void {
  write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** At once, so that what was said before a crash is said. */
function write(said: string): void {
  let rest = Buffer.from(said)
  while (rest.length > 0)
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') process.exit(0)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
}

function listTools(): readonly object[] {
  return lists > 1 && plan.later !== undefined ? plan.later : plan.tools
}

function recordEffect({ params }: Asked): void {
  const tool = params?.name ?? GRANTED
  const definition = listTools().find((one) => 'name' in one && one.name === tool) ?? null
  const line = { server: name, tool, params: params?.arguments ?? {}, definition }
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}

async function take(step: ServerStep, asked: Asked): Promise<void> {
  const { id } = asked
  switch (step.do) {
    case 'effect':
      return recordEffect(asked)
    case 'answer':
      return say({ id, result: step.result })
    case 'refuse':
      return say({ id, error: { code: step.code, message: step.message } })
    case 'say': {
      const message = JSON.parse(JSON.stringify(step.message).replaceAll('"$id"', `${id}`))
      for (let i = 0; i < (step.times ?? 1); i += 1) say(message)
      return
    }
    case 'write':
      for (let i = 0; i < (step.times ?? 1); i += 1) write(step.text.replaceAll('$id', `${id}`))
      return
    case 'complain':
      for (let i = 0; i < step.times; i += 1) process.stderr.write(step.text)
      return
    case 'wait':
      return new Promise((resolve) => setTimeout(resolve, step.ms))
    case 'list':
      return say({ id, result: { tools: listTools() } })
    case 'list-without-end':
      return say({ id, result: { tools: [], nextCursor: `${lists}` } })
    case 'answer-next':
      return say({ id: Number(id) + 1, result: step.result })
    case 'exit':
      return process.exit(0)
    case 'crash':
      return void process.kill(process.pid, 'SIGKILL')
    case 'leave-child':
      spawn(process.execPath, ['-e', `setTimeout(() => {}, ${LONGEST_MS})`], { stdio: 'inherit' })
      return
  }
}

const HONEST: readonly ServerStep[] = [
  { do: 'effect' },
  { do: 'answer', result: { content: [{ type: 'text', text: 'done' }] } },
]

function chooseSteps({ method, params }: Asked): readonly ServerStep[] {
  if (method === 'initialize') {
    const result = {
      protocolVersion: params?.protocolVersion ?? '',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'hostile', version: '1' },
    }
    return plan.initialize ?? [{ do: 'answer', result }]
  }
  if (method === 'tools/list') return plan.list ?? [{ do: 'list' }]
  if (method === 'tools/call') return plan.call ?? HONEST
  return [{ do: 'refuse', code: -32_601, message: 'unknown' }]
}

async function takeAll(steps: readonly ServerStep[], asked: Asked): Promise<void> {
  if (asked.method === 'tools/list') lists += 1
  for (const step of steps) await take(step, asked)
}

setTimeout(() => process.exit(1), LONGEST_MS).unref()
work = takeAll(plan.start ?? [], {})
appendFileSync(started, 'x')
createInterface({ input: process.stdin }).on('line', (line) => {
  const asked = JSON.parse(line) as Asked
  if (asked.method === undefined && asked.result !== undefined) return recordEffect(asked)
  if (asked.id === undefined || asked.method === undefined) return
  work = work.then(() => takeAll(chooseSteps(asked), asked))
})
