/** Programs behind the gateway, from their start to their end. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { NotApplied } from 'rubicon-runtime/ports'
import { sha256 } from 'rubicon-runtime/system'
import { compareTools } from '../lock/compare-tools.ts'
import { MessageLines } from './message-lines.ts'
import { Pace } from './pace.ts'
import { callPay, PAY, startProgram } from './program.test-support.ts'
import type { FilledTexts } from './upstream.ts'

/** A child that neither the end of its input nor a request to end moves. */
const STAYING = `require('node:child_process').spawn(process.execPath,
  ['-e', "process.on('SIGTERM', () => {}); setTimeout(() => {}, 30000); console.error('up')"],
  { stdio: ['ignore', 'ignore', 'pipe'] })`

/** It says its own number and that of its child, and stays as long as that. */
const PARENT = `
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
const child = ${STAYING}
child.stderr.once('data', () => { globalThis.isUp = true })
`
const CALL = `const tell = () => globalThis.isUp
  ? answer({ content: [{ type: 'text', text: process.pid + ' ' + child.pid }] })
  : setTimeout(tell, 20)
tell()`

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function waitForEnd(pids: readonly number[]): Promise<void> {
  for (let i = 0; i < 200 && pids.some(isAlive); i += 1)
    await new Promise((resolve) => setTimeout(resolve, 25))
  const left = pids.filter(isAlive)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  assert.deepEqual(left, [])
}

function readPids(result: unknown): readonly number[] {
  const [, ...pids] = /(\d+) (\d+)/.exec(JSON.stringify(result)) ?? []
  assert.equal(pids.length, 2, JSON.stringify(result))
  return pids.map(Number)
}

test('nothing of a program is left when it is closed, also where it does not want to end', async (t) => {
  const server = startProgram(t, { before: PARENT, call: CALL })
  const pids = readPids((await callPay(server)).result)
  assert.ok(pids.every(isAlive))
  await server.close()
  await waitForEnd(pids)
})

test('nothing of a program is left when it crashes', async (t) => {
  const server = startProgram(t, { before: PARENT, call: CALL })
  const pids = readPids((await callPay(server)).result)
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await waitForEnd(pids)
})

async function killGateway(t: TestContext, signal: NodeJS.Signals): Promise<void> {
  const support = JSON.stringify(new URL('./program.test-support.ts', import.meta.url).href)
  const code = `import(${support}).then(async ({ callPay, startProgram }) => {
    const server = startProgram({ after() {} }, ${JSON.stringify({ before: PARENT, call: CALL })})
    console.log(JSON.stringify((await callPay(server)).result))
  })`
  const gateway = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => gateway.kill('SIGKILL'))
  const [line] = await once(gateway.stdout, 'data')
  const pids = readPids(String(line))
  gateway.kill(signal)
  await waitForEnd(pids)
}

test('nothing of a program is left when the gateway is killed', async (t) => {
  await Promise.all([killGateway(t, 'SIGKILL'), killGateway(t, 'SIGTERM')])
})

test('closing does not wait for a server that never greets', async (t) => {
  const before = `globalThis.own = true; respond = () => {}`
  const server = startProgram(t, { before })
  const called = callPay(server).catch((cause: unknown) => cause)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const began = performance.now()
  await server.close()
  assert.ok((await called) instanceof NotApplied)
  assert.ok(performance.now() - began < 5_000)
})

test('a program is given the variables that the file names, and none of the gateway', async (t) => {
  const call = `answer({ content: [], structuredContent: { names: Object.keys(process.env) } })`
  const server = startProgram(t, { call }, { texts: { OWN: 'a' }, secrets: [] })
  const { result } = await callPay(server)
  const { names } = (result as { structuredContent: { names: readonly string[] } })
    .structuredContent
  assert.ok(names.includes('OWN') && names.includes('PATH'))
  const usual = ['HOME', 'LANG', 'LOGNAME', 'OWN', 'PATH', 'TMPDIR', 'TZ', 'USER']
  assert.deepEqual(
    names.filter((name) => !usual.includes(name)),
    [],
  )
})

test('a message that is too long ends the program, and nobody knows what became of the call', async (t) => {
  const call = `process.stdout.write('x'.repeat(11 * 1024 * 1024))`
  const cause = await callPay(startProgram(t, { call })).catch((error: unknown) => error)
  assert.ok(cause instanceof Error && !(cause instanceof NotApplied), String(cause))
})

test('what a server writes to its standard error is kept without its secrets, and only the newest of it', async (t) => {
  const secret = 'hunter2-hunter2'
  const call = `
    for (let i = 0; i < 40; i += 1) process.stderr.write('y'.repeat(1000 + i) + process.env.KEY)
    process.stderr.write(process.env.KEY.slice(0, 7))
    setTimeout(() => process.stderr.write(process.env.KEY.slice(7) + 'end', () =>
      answer({ content: [] })), 50)`
  const server = startProgram(t, { call }, { texts: { KEY: secret }, secrets: [secret] })
  await callPay(server)
  while (!server.errors.text.endsWith('end'))
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(!server.errors.text.includes('hunter2'))
  assert.ok(server.errors.text.length <= 16_384)
})

test('why a server is not there is told with what it wrote last', async (t) => {
  const secret = 'hunter2-hunter2'
  const before = `console.error('no licence for ' + process.env.KEY + '\\n'); process.exit(1)`
  const server = startProgram(t, { before }, { texts: { KEY: secret }, secrets: [secret] })
  const tools = [{ server: 'fake', definition: PAY, class: null }]
  const [compared] = await compareTools(new Map([['fake', server]]), { tools }, sha256)
  assert.equal(compared?.state, 'unknown')
  assert.match(compared?.why ?? '', /it wrote last: no licence for \[redacted\]$/)
})

test('a server that ends again and again is started less and less often', async (t) => {
  let [now, started] = [0, 0]
  const readTexts = async (): Promise<FilledTexts> => {
    started += 1
    return { texts: {}, secrets: [] }
  }
  const options = { readTexts, now: () => now }
  const server = startProgram(t, { call: 'process.exit(1)' }, undefined, options)
  const callAt = async (time: number): Promise<number> => {
    now = time
    await callPay(server).catch(() => null)
    while (server.status === 'connected') await new Promise((resolve) => setTimeout(resolve, 10))
    return started
  }
  assert.equal(await callAt(0), 1)
  assert.equal(await callAt(200), 1)
  assert.equal(await callAt(300), 2)
  assert.equal(await callAt(700), 2)
  assert.equal(await callAt(900), 3)
})

test('what comes faster than it may is told to wait until the second is over', () => {
  const pace = new Pace(10)
  assert.equal(pace.take(10, 5_000), 0)
  assert.equal(pace.take(1, 5_400), 600)
  assert.equal(pace.take(10, 6_000), 0)
})

test('a line is one, in however many pieces it comes, and none is longer than it may', () => {
  const lines = new MessageLines(4)
  assert.deepEqual(lines.take(Buffer.from('ab')), [])
  assert.deepEqual(lines.take(Buffer.from('c\n\nd')), ['abc', ''])
  assert.deepEqual(lines.take(Buffer.from('ef\n')), ['def'])
  assert.deepEqual(lines.take(Buffer.from('abcd')), [])
  assert.equal(lines.take(Buffer.from('e')), undefined)
})
