/** The server of a demo company as `rubicon up --demo` starts it, on a store of its own in a folder. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from 'rubicon-agents/client'
import { freePort } from '../free-port.ts'
import { ENVIRONMENT, ROOT } from '../shell.ts'

export type DemoServer = {
  readonly url: string
  /** Of the operator. */
  readonly token: string
  readonly client: Client
  /** What a command needs to work on the same store. */
  readonly stored: readonly string[]
  stop(): Promise<void>
}

export async function startDemoServer(folder: string): Promise<DemoServer> {
  const state = join(folder, 'state')
  const stored = ['--store', `sqlite:${join(folder, 'demo.db')}`, '--state', state]
  const server = await startServer(stored)
  const token = readFileSync(join(state, 'operator.token'), 'utf8').trim()
  const headers = (): Record<string, string> => ({ authorization: `Bearer ${token}` })
  return { ...server, token, client: createClient({ url: server.url, headers }), stored }
}

type Server = Pick<DemoServer, 'url' | 'stop'>

const WAITS_MS = 120_000

async function startServer(stored: readonly string[]): Promise<Server> {
  const port = await freePort()
  const words = ['up', '--demo', '--port', String(port), ...stored]
  const child = spawn('rubicon', words, { cwd: ROOT, env: ENVIRONMENT })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let said = ''
  const isUp = new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
      if (said.includes('next: open')) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error(`the demo did not start: ${said}`)))
    setTimeout(() => reject(new Error(`the demo takes too long: ${said}`)), WAITS_MS).unref()
  })
  try {
    await isUp
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
