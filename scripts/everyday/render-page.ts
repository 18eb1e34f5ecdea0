/** The page of the docs that lists the everyday tasks, made of the data that is run. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../shell.ts'
import { countSteps, type EverydayTask, type Peer, type TaskStep } from './task.ts'

export const TASKS_PAGE: string = join(ROOT, 'docs/guides/everyday-tasks.md')

export function writeTasksPage(tasks: readonly EverydayTask[]): void {
  writeFileSync(TASKS_PAGE, renderTasksPage(tasks))
}

export function renderTasksPage(tasks: readonly EverydayTask[]): string {
  const parts = [INTRODUCTION, renderTable(tasks), HOW_COUNTED, ...tasks.map(renderTask)]
  return `${parts.join('\n\n')}\n`
}

const INTRODUCTION = `# Everyday tasks

Twelve tasks that people do with the console every day, step by step, by keyboard and by pointer. Each begins on the Overview. \`?\` shows
the keys of the page that is open. In a clone of the repository, \`npm run console:tasks\` does all of them in a browser, on a demo company of its own,
and checks on the server that they were done.`

const HOW_COUNTED = `## How steps are counted

- One step is a key or a chord (\`g i\`), a text, a click, or a command in a terminal. Reading and scrolling do not count.
- Every task begins on the first page of the tool, signed in.
- Steps of other tools are counted in the same way, from their documentation: the shortest path that it describes, without views that somebody has
  saved before. The tools are Temporal UI, the dev servers of Restate and Inngest, deployment reviews of GitHub, Linear, Grafana and LangSmith.
- *In part*: the tool does only a part of the task. That part is counted, and what is missing is said, so the whole task would take more steps there.
- *None can*: none of these tools does it.`

function renderTable(tasks: readonly EverydayTask[]): string {
  const rows = tasks.map((task) => {
    const [keys, clicks] = [countSteps(task.keyboard), countSteps(task.pointer)]
    return `| ${task.ask} | ${keys} | ${clicks} | ${describePeers(task)} |`
  })
  return ['| task | keyboard | pointer | elsewhere |', '|---|---|---|---|', ...rows].join('\n')
}

function describePeers({ peers }: EverydayTask): string {
  if (peers.length === 0) return 'none can'
  return sortPeers(peers)
    .map(({ name, steps, lacks }) => `${name} ${steps}${lacks === undefined ? '' : ', in part'}`)
    .join('; ')
}

function sortPeers(peers: readonly Peer[]): readonly Peer[] {
  return peers.toSorted((a, b) => a.steps - b.steps)
}

function renderTask(task: EverydayTask): string {
  const { ask, keyboard, pointer, peers, none } = task
  const elsewhere = sortPeers(peers).map(
    ({ name, steps, how, source, lacks }) =>
      `| [${name}](${source}) | ${steps} | ${how}${lacks === undefined ? '' : `. ${toSentence(lacks)}`} |`,
  )
  const others = none === undefined ? elsewhere : [`| elsewhere | none can | ${none} |`]
  return [
    `## ${ask}`,
    '',
    '| | steps | |',
    '|---|---|---|',
    `| keyboard | ${countSteps(keyboard)} | ${describeSteps(keyboard)} |`,
    `| pointer | ${countSteps(pointer)} | ${describeSteps(pointer)} |`,
    ...others,
  ].join('\n')
}

function toSentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

export function describeSteps(steps: readonly TaskStep[]): string {
  return steps.flatMap(describeStep).join(', ')
}

/** None for what is only looked at. */
function describeStep(step: TaskStep): readonly string[] {
  if ('see' in step) return []
  if ('press' in step) return [step.press.split(' ').map(renderKey).join(' ')]
  if ('type' in step) return [`type “${step.type}”`]
  if ('run' in step) return ['run the command that is shown, where the agent runs']
  return [`*${step.click.says}*`]
}

function renderKey(key: string): string {
  return `\`${key.replace('Control+k', 'Ctrl+K').replace('Control+', 'Ctrl+')}\``
}
