/**
 * What a test file takes, written down by the process that runs it.
 *
 * Processor time is counted, not only time on the wall: beside others the second says little. What ended children
 * took is of the file that started them.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

export type Cost = {
  readonly file: string
  /** From the end of the file before it; loading the files of a process is a cost of its own. */
  readonly wallMs: number
  readonly cpuMs: number
}

export type FileCost = Cost & { readonly tests: number }

/** How the name of a cost begins that is no file's: what it takes to load a process. */
export const LOADING = 'loading '

/** Where costs are written; nothing is measured without it. */
export const COSTS_VARIABLE = 'RUBICON_TEST_COSTS'

/** Linux's unit in this file: a hundredth of a second. */
const OWN_STAT = '/proc/self/stat'
const MS_PER_TICK = 10

const costs = process.env[COSTS_VARIABLE] ?? ''
let before = { wallMs: 0, cpuMs: 0 }

/** Everything since the last call, or since this process began, is of the file. */
export function recordCost(file: string): void {
  if (costs === '') return
  const now = { wallMs: performance.now(), cpuMs: measureCpuMs() }
  const cost: Cost = {
    file,
    wallMs: Math.round(now.wallMs - before.wallMs),
    cpuMs: Math.round(now.cpuMs - before.cpuMs),
  }
  before = now
  appendFileSync(costs, `${JSON.stringify(cost)}\n`)
}

/** What was written, the most expensive first, with how many tests each file has. */
export function readCosts(path: string, testsIn: ReadonlyMap<string, number>): readonly FileCost[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  const all: readonly Cost[] = lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  return all
    .map((cost) => ({ ...cost, tests: testsIn.get(cost.file) ?? 0 }))
    .toSorted((a, b) => b.cpuMs - a.cpuMs)
}

/** A line a file: seconds of a processor, seconds on the wall, tests. */
export function formatCosts(costs: readonly FileCost[]): string {
  const toColumn = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(6)} s`
  return costs
    .map(
      ({ file, cpuMs, wallMs, tests }) =>
        `${toColumn(cpuMs)} ${toColumn(wallMs)} ${String(tests).padStart(5)}  ${file}\n`,
    )
    .join('')
}

/** Of this process and of the children that ended, where the system tells; else of this process. */
export function measureCpuMs(): number {
  if (!existsSync(OWN_STAT)) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const text = readFileSync(OWN_STAT, 'utf8')
  // The name of the program comes before, in brackets, and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // utime, stime, cutime, cstime
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0)
}
