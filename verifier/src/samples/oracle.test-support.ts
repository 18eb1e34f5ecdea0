/** Runs the second implementation, `testdata/oracle/verify.py`, on texts that tests make. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Depth, Report } from '../report/report.ts'

const SCRIPT = fileURLToPath(new URL('../../../testdata/oracle/verify.py', import.meta.url))
const FINDINGS = 4
/** Nothing of the machine's own: the standard library is all that it may use. */
const ALONE = ['-I', '-S'] as const

const found = spawnSync('python3', ['--version']).status === 0
if (!found) console.error('PYTHON ABSENT: the second verifier is not run; install python3')

/** For `skip`. Where CI=true nothing is skipped, so that the tests fail instead. */
export const oracleSkip: string | false =
  !found && process.env.CI !== 'true' && 'PYTHON ABSENT: no python3 on this machine'

export type OracleOptions = {
  readonly trust?: string
  readonly signatures?: string
  readonly depth?: Depth
}

/**
 * The report of one text, by a process that stays for the next: to start it takes far longer than to
 * judge what tests make.
 */
export async function oracleReport(
  text: string | Uint8Array,
  options: OracleOptions = {},
): Promise<Report> {
  return remembered([text], options, async () => {
    const name = JSON.stringify(options)
    const resident = residents.get(name) ?? new Resident(options)
    residents.set(name, resident)
    return resident.judge(text)
  })
}

/** One process a way of asking. They end with this one: then nobody is left to ask them. */
const residents = new Map<string, Resident>()
process.once('exit', () => {
  for (const resident of residents.values()) resident.remove()
})

class Resident {
  readonly #folder: string
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: OracleOptions) {
    const folder = mkdtempSync(join(tmpdir(), 'rubicon-oracle-'))
    const args = ['--list', '-', ...argumentsFor(options, folder)]
    this.#folder = folder
    this.#child = spawn('python3', [...ALONE, SCRIPT, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const { stdout } = this.#child
    if (stdout === null) throw new Error('it has a pipe to answer on')
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
    this.#child.unref()
    this.#keepsUs(false)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** In turn: it answers in the order in which it is asked. */
  judge(text: string | Uint8Array): Promise<Report> {
    const answered = this.#turn.then(() => this.#ask(text))
    this.#turn = answered.catch(() => {})
    return answered
  }

  async #ask(text: string | Uint8Array): Promise<Report> {
    const path = join(this.#folder, 'ledger')
    writeFileSync(path, text)
    this.#keepsUs(true)
    this.#child.stdin?.write(`${path}\n`)
    const { value, done } = await this.#lines.next()
    this.#keepsUs(false)
    if (done === true) throw new Error('the oracle could not run')
    return JSON.parse(value)
  }

  #keepsUs(isAsked: boolean): void {
    for (const stream of [this.#child.stdin, this.#child.stdout])
      if (stream instanceof Socket) isAsked ? stream.ref() : stream.unref()
  }
}

function argumentsFor(
  { trust, signatures = 'all', depth = 'fold' }: OracleOptions,
  folder: string,
): string[] {
  const args = ['--json', '--signatures', signatures, '--depth', depth]
  if (trust === undefined) return args
  writeFileSync(join(folder, 'trust'), trust)
  return [...args, '--trust', join(folder, 'trust')]
}

/** One report a text, all in one process that runs meanwhile. */
export function oracleReports(
  texts: readonly (string | Uint8Array)[],
  options: OracleOptions = {},
): Promise<Report[]> {
  return remembered(texts, options, () => judgeAll(texts, options))
}

/**
 * Where RUBICON_ORACLE names a folder, an answer is kept there and given again for the same texts: mistakes
 * made in the first implementation, a thousand in a row, change nothing in the second.
 */
async function remembered<T>(
  texts: readonly (string | Uint8Array)[],
  options: OracleOptions,
  judge: () => Promise<T>,
): Promise<T> {
  const { RUBICON_ORACLE: folder } = process.env
  if (folder === undefined) return judge()
  const hash = createHash('sha256').update(JSON.stringify(options))
  for (const text of texts) hash.update(`\n${text.length}\n`).update(text)
  const path = join(folder, hash.digest('hex'))
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'))
  const answer = await judge()
  // Two processes may ask at once: what is half written has another name.
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(answer))
  renameSync(`${path}.${process.pid}`, path)
  return answer
}

async function judgeAll(
  texts: readonly (string | Uint8Array)[],
  options: OracleOptions,
): Promise<Report[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-oracle-'))
  try {
    const paths = texts.map((text, i) => {
      const path = join(folder, `${i}.ndjson`)
      writeFileSync(path, text)
      return path
    })
    writeFileSync(join(folder, 'list'), paths.join('\n'))
    const args = ['--list', join(folder, 'list'), ...argumentsFor(options, folder)]
    const lines = (await runOracle(...args)).split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * What it printed. Findings are an answer; that it could not run is an error. It prints to a file:
 * a pipe would fill up and stop it while this process is busy with its own verification.
 */
export function runOracle(...args: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-oracle-'))
  const path = join(folder, 'printed')
  const printed = openSync(path, 'w')
  const child = spawn('python3', [...ALONE, SCRIPT, ...args], {
    stdio: ['ignore', printed, 'inherit'],
  })
  return new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0 || code === FINDINGS) resolve(readFileSync(path, 'utf8'))
      else reject(new Error(`the oracle could not run: exit ${code}`))
    })
  }).finally(() => {
    closeSync(printed)
    rmSync(folder, { recursive: true })
  })
}
