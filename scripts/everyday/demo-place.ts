/** A demo company of its own for everyday tasks: a server on a temporary store, and two people who are signed in. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { createClient } from 'rubicon-agents/client'
import { freePort } from '../free-port.ts'
import { ENVIRONMENT, ROOT, run } from '../shell.ts'
import type { TaskPlace } from './task.ts'

export type DemoPlace = {
  readonly place: Omit<TaskPlace, 'page' | 'saved'>
  readonly token: string
  /** A page of the overview, in the browser of whoever does the tasks. */
  openPage(): Promise<Page>
  close(): Promise<void>
}

const COLLEAGUE = 'sam@example.com'

export async function openDemoPlace(browser: Browser): Promise<DemoPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-everyday-'))
  const state = join(folder, 'state')
  const stored = ['--store', `sqlite:${join(folder, 'demo.db')}`, '--state', state]
  const server = await startServer(stored)
  const url = server.url
  const token = readFileSync(join(state, 'operator.token'), 'utf8').trim()
  const mine = await browser.newContext({ acceptDownloads: true, viewport: WIDE })
  const theirs = await browser.newContext({ viewport: WIDE })
  await startSession(await mine.newPage(), url, token)
  const other = await theirs.newPage()
  await startSession(other, url, makeToken(stored))
  const buildHeaders = (): Record<string, string> => ({ authorization: `Bearer ${token}` })
  return {
    place: { url, client: createClient({ url, headers: buildHeaders }), other, folder },
    token,
    openPage: () => mine.newPage(),
    async close() {
      await mine.close()
      await theirs.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const WIDE = { width: 1440, height: 900 } as const

async function startSession(page: Page, url: string, token: string): Promise<void> {
  await page.goto(`${url}/#token=${token}`)
  await page.getByRole('banner').waitFor()
}

/** Of a colleague who may decide. */
function makeToken(stored: readonly string[]): string {
  const made = run('rubicon', ['token', COLLEAGUE, '--role', 'approver', ...stored, '--json'])
  if (!made.ok) throw new Error(`no token for ${COLLEAGUE}: ${made.stderr}`)
  return parseToken(JSON.parse(made.stdout))
}

function parseToken(said: unknown): string {
  const { token } = said as { readonly token?: unknown }
  if (typeof token !== 'string') throw new Error('the command printed no token')
  return token
}

type Server = { readonly url: string; stop(): Promise<void> }

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
