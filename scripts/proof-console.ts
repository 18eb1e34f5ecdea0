import { FIRST_PAGE_BYTES } from './console-weight.ts'
import type { Bar } from './proof-bars.ts'
import { buildNpmCommand } from './proof-command.ts'
import { type Json, judgeAtLeast, judgeAtMost, judgeNone, toCount } from './proof-judge.ts'
import type { Sizes } from './proof-sizes.ts'

/** What people see, and what they do with it. */
export function listConsoleBars(sizes: Sizes): readonly Bar[] {
  const { flows, looks, console: pages, everyday, everydayTasks } = sizes
  return [
    {
      name: 'console',
      bar: 'console:check: every page in every condition; paint under 1 s, lists under 200 ms, first page at most 400 kB',
      command: buildNpmCommand('console:check', '--', '--flows', flows, ...pages, '--json'),
      judge: ({ looks: done, flows: filled, findings, slow, first_page_bytes: bytes }) => [
        judgeNone({ findings, slow }, toCount(filled), flows),
        judgeAtLeast('looks', done, looks),
        judgeAtMost('first_page_bytes', bytes, FIRST_PAGE_BYTES),
      ],
    },
    {
      name: 'console-tasks',
      bar: 'console:tasks: twelve everyday tasks by keyboard and by pointer, each done, in no more steps than any peer',
      command: buildNpmCommand('console:tasks', '--', ...everyday, '--json'),
      judge: ({ tasks }) => {
        const done: readonly Json[] = Array.isArray(tasks) ? tasks : []
        const failed = done.filter((task) => Object.keys(Object(task.failed ?? 'x')).length > 0)
        const longer = done.filter((task) => task.longer !== false)
        return judgeNone({ failed, longer }, done.length, everydayTasks)
      },
    },
  ]
}
