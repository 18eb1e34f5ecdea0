/** Does every task in a real browser, and finds out whether it was done. */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type DemoPlace, openDemoPlace } from './demo-place.ts'
import { takeSteps } from './take-steps.ts'
import {
  countSteps,
  type EverydayTask,
  findFewest,
  type TaskPlace,
  WAYS,
  type Way,
} from './task.ts'

export type TaskReport = {
  readonly name: string
  readonly ask: string
  readonly keyboard: number
  readonly pointer: number
  /** Null: none of the peers can. */
  readonly fewest_of_peers: number | null
  /** What went wrong, by way; empty: it was done both ways. */
  readonly failed: Readonly<Partial<Record<Way, string>>>
  readonly longer: boolean
  readonly ok: boolean
}

/** Each way has a company of its own, which nobody has worked in before. */
export async function performTasks(
  browser: Browser,
  tasks: readonly EverydayTask[],
  note: (line: string) => void,
): Promise<readonly TaskReport[]> {
  const failed = new Map<string, Partial<Record<Way, string>>>()
  for (const way of WAYS) {
    note(`${way}: starting a demo company`)
    const demo = await openDemoPlace(browser)
    try {
      for (const task of tasks) {
        const why = await performTask(demo, task, way)
        note(
          `${way}: ${why === null ? 'done' : 'NOT DONE'}: ${task.ask}${why === null ? '' : `: ${why}`}`,
        )
        if (why !== null) failed.set(task.name, { ...failed.get(task.name), [way]: why })
      }
    } finally {
      await demo.close()
    }
  }
  return tasks.map((task) => buildReport(task, failed.get(task.name) ?? {}))
}

export function buildReport(task: EverydayTask, failed: TaskReport['failed']): TaskReport {
  const [keyboard, pointer] = [countSteps(task.keyboard), countSteps(task.pointer)]
  const fewest = findFewest(task)
  const longer = fewest !== null && Math.max(keyboard, pointer) > fewest
  const { name, ask } = task
  const ok = !longer && Object.keys(failed).length === 0
  return { name, ask, keyboard, pointer, fewest_of_peers: fewest, failed, longer, ok }
}

/** Null: it was done. */
async function performTask(
  { place: shared, token, openPage }: DemoPlace,
  task: EverydayTask,
  way: Way,
): Promise<string | null> {
  const page = await openPage()
  const place = { ...shared, page, saved: keepDownloads(page, shared.folder) }
  try {
    const before = (await task.prepare?.(place)) ?? null
    await openOverview(place)
    await takeSteps(place, task[way], token)
    return await awaitDone(() => task.check(place, before), page)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return `${said.split('\n')[0]} at ${new URL(page.url()).pathname}`
  } finally {
    await page.close()
  }
}

/** What the page says may come before what the server does: it is asked again for a while. */
async function awaitDone(check: () => Promise<string | null>, page: Page): Promise<string | null> {
  const until = Date.now() + SETTLES_MS
  for (;;) {
    const why = await check()
    if (why === null || Date.now() > until) return why
    await page.waitForTimeout(ASKS_EVERY_MS)
  }
}

const SETTLES_MS = 5_000
const ASKS_EVERY_MS = 100

async function openOverview({ page, url }: TaskPlace): Promise<void> {
  await page.goto(`${url}/`)
  await page.locator('main h1').waitFor()
  await page.locator('main:not(:has(.loading)) .overview-what').first().waitFor()
}

/** Where the last file lies that the page handed out. */
function keepDownloads(page: Page, folder: string): TaskPlace['saved'] {
  let last: Promise<string> | null = null
  page.on('download', (download) => {
    const file = join(folder, download.suggestedFilename())
    last = download.saveAs(file).then(() => file)
  })
  return async () => last
}
