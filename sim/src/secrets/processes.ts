/** The processes of the proof, and everything that they say. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { AgentOrders, HouseLine } from './protocol.ts'
import type { SearchedPlace } from './search.ts'

const LAUNCHER = fileURLToPath(new URL('../../../server/bin/rubicon.js', import.meta.url))
const QUIET = '--disable-warning=ExperimentalWarning'

/** What is passed on: a patch that is tried, and what Node needs; no variable that somebody's secret may be in. */
const PASSED = [
  'PATH',
  'TMPDIR',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'RUBICON_PATCH',
  'RUBICON_PATCH_SEEN',
]

type Variables = Readonly<Record<string, string>>

/** One process, and what it wrote. */
export class HeardProcess {
  readonly #child: ChildProcess
  readonly #parts: Buffer[] = []
  readonly #name: string
  readonly #exited: Promise<unknown>
  readonly commandLine: Buffer

  constructor(name: string, argv: readonly string[], variables: Variables) {
    this.#name = name
    const passed = PASSED.flatMap((one) => {
      const value = process.env[one]
      return value === undefined ? [] : [[one, value] as const]
    })
    const env = { ...Object.fromEntries(passed), ...variables }
    this.#child = spawn(process.execPath, [QUIET, ...argv], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    const record = (part: Buffer): void => void this.#parts.push(part)
    this.#child.stdout?.on('data', record)
    this.#child.stderr?.on('data', record)
    this.#exited = once(this.#child, 'close')
    const shown = `/proc/${this.#child.pid}/cmdline`
    this.commandLine = existsSync(shown) ? readFileSync(shown) : Buffer.from(argv.join('\0'))
  }

  /** The first line that it writes. */
  async readLine(): Promise<string> {
    const lines = createInterface({ input: this.#child.stdout ?? process.stdin })
    const [line] = await Promise.race([once(lines, 'line'), this.#exited.then(() => [])])
    if (typeof line === 'string') return line
    throw new Error(`${this.#name} ended before it was ready: ${Buffer.concat(this.#parts)}`)
  }

  /** Resolves when it has ended, by itself or by the signal. */
  async end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (signal !== undefined) this.#child.kill(signal)
    await this.#exited
  }

  get exitCode(): number | null {
    return this.#child.exitCode
  }

  listPlaces(): readonly SearchedPlace[] {
    return [
      { name: `output of ${this.#name}`, bytes: Buffer.concat(this.#parts) },
      { name: `command line of ${this.#name}`, bytes: this.commandLine },
    ]
  }
}

export async function startHouse(
  name: string,
  configFile: string,
  variables: Variables,
): Promise<{ readonly house: HeardProcess; readonly url: string }> {
  const house = new HeardProcess(name, [toPath('./house.ts'), configFile], variables)
  const { url } = JSON.parse(await house.readLine()) as HouseLine
  return { house, url }
}

export function startAgent(name: string, orders: AgentOrders): HeardProcess {
  const variables = { HOME: orders.folder }
  return new HeardProcess(name, [toPath('./agent.ts'), JSON.stringify(orders)], variables)
}

/** The command, as somebody at a terminal gives it. */
export async function runRubicon(
  argv: readonly string[],
  variables: Variables,
): Promise<readonly SearchedPlace[]> {
  const command = new HeardProcess(
    `rubicon ${argv.slice(0, 2).join(' ')}`,
    [LAUNCHER, ...argv],
    variables,
  )
  await command.end()
  return command.listPlaces()
}

function toPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
