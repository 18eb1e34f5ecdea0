/** A machine that slept, or a process that was stopped, hears of its connections and files before its timers ring. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { HttpExecutor } from 'rubicon-kernel'
import { type EffectIo, NotApplied } from '../ports/capability.ts'
import { executeCommand } from './command/command-hands.ts'
import { writeProgram } from './command/program.test-support.ts'
import { executeHttp } from './http/http-hands.ts'
import { allowPort, answerWith, createIo, listen } from './http/outside.test-support.ts'
import type { SecretGrants } from './secret-grants.ts'

/** As the engine makes it: its end is noticed by whoever looks, before anybody is told. */
function createSleep(): { readonly io: EffectIo; readonly secrets: (to: string) => SecretGrants } {
  const controller = new AbortController()
  let isOver = false
  const io: EffectIo = Object.defineProperty({ ...createIo() }, 'signal', {
    get() {
      if (isOver) controller.abort()
      return controller.signal
    },
  })
  const source = {
    read: async () => {
      isOver = true
      return 'cnry-7f3a9c21'
    },
  }
  const grant = { source, tools: ['acme.pay'] }
  return {
    io,
    secrets: (to) => new Map([['KEY', { ...grant, hosts: [to], commands: [to] }]]),
  }
}

const call = { kind: 'acme.pay', agent_id: 'bot', params: {}, purpose: 'effect' } as const
const isNotSent = (error: unknown): boolean => error instanceof NotApplied && error.transient

test('a request that may take long does not leave after the deadline of the engine', async (t) => {
  const { port, heard } = await listen(t, answerWith(200, '{}'))
  const { io, secrets } = createSleep()
  const executor: HttpExecutor = {
    method: 'POST',
    url: `http://127.0.0.1:${port}/`,
    headers: { authorization: { secret: 'KEY' } },
    applied: [200],
    timeout_ms: 600_000,
  }
  const options = { allowed: [allowPort(port)], secrets: secrets(`127.0.0.1:${port}`) }
  await assert.rejects(executeHttp(options, executor, call, io), isNotSent)
  assert.equal(heard(), '')
})

test('a program is not started after the deadline of the engine', async () => {
  const path = writeProgram('touch "$1"; echo 1')
  const mark = `${path}-mark`
  const { io, secrets } = createSleep()
  const env = { TOKEN: { secret: 'KEY' } }
  const executor = { argv: [path, mark], env, applied: [0] }
  const options = { allowed: [{ path }], secrets: secrets(path) }
  await assert.rejects(executeCommand(options, executor, call, io), isNotSent)
  assert.ok(!existsSync(mark))
})
