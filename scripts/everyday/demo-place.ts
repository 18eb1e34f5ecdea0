/** A demo company of its own for everyday tasks: a server on a temporary store, and two people who are signed in. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { ROOT, run } from '../shell.ts'
import { startDemoServer } from './demo-server.ts'
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
  // A command that a page shows is run where the packages are installed.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { url, token, client, stored, stop } = await startDemoServer(folder)
  const mine = await browser.newContext({ acceptDownloads: true, viewport: WIDE })
  const theirs = await browser.newContext({ viewport: WIDE })
  await startSession(await mine.newPage(), url, token)
  const other = await theirs.newPage()
  await startSession(other, url, makeToken(stored))
  return {
    place: { url, client, other, folder },
    token,
    openPage: () => mine.newPage(),
    async close() {
      await mine.close()
      await theirs.close()
      await stop()
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
