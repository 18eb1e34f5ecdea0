/**
 * `npm run console:tasks`: twelve everyday tasks, each by keyboard and by pointer, in a real browser on a demo company of its
 * own: done, as the server itself says afterwards, and in at most as many steps as the peer with the fewest takes.
 *
 * `--only NAME` does one of them, `--json`, `--write` writes the page of the docs.
 */
import { parseArgs } from 'node:util'
import { launchBrowser } from '../console/src/browser/machine-browser.test-support.ts'
import { performTasks } from './everyday/perform-tasks.ts'
import { writeTasksPage } from './everyday/render-page.ts'
import { EVERYDAY_TASKS } from './everyday/tasks.ts'
import { formatSeconds, run, say } from './shell.ts'

async function runConsoleTasks(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  if (values.write) return writeTasksPage(EVERYDAY_TASKS)
  const tasks = EVERYDAY_TASKS.filter(({ name }) => values.only?.includes(name) ?? true)
  if (tasks.length === 0) throw new Error(`no task is called ${values.only?.join(', ')}`)
  const start = performance.now()
  const built = run(process.execPath, ['scripts/console-build.ts'])
  if (!built.ok) throw new Error(`the console cannot be built: ${built.stderr}`)
  const browser = await launchBrowser()
  try {
    const writeNote = (line: string): void => void process.stderr.write(`› ${line}\n`)
    const reports = await performTasks(browser, tasks, writeNote)
    const ok = reports.every((report) => report.ok)
    if (values.json) say(JSON.stringify({ tasks: reports, ok }))
    else {
      for (const { ok: isFine, ask, keyboard, pointer, fewest_of_peers: peers } of reports)
        say(
          `${isFine ? '✔' : '✖'} ${ask}: ${keyboard} by keyboard, ${pointer} by pointer, peers ${peers ?? 'cannot'}`,
        )
      say(`${ok ? 'ok' : 'not ok'} in ${formatSeconds(performance.now() - start)}`)
    }
    if (!ok) process.exitCode = 4
  } finally {
    await browser.close()
  }
}

if (import.meta.main) await runConsoleTasks()
