/**
 * Somebody who does what a page says, in a folder of their own: writes its files, types its commands,
 * and holds what is printed against what the page shows.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fillCommand, matchOutput } from './docs-output.ts'
import type { Step } from './docs-steps.ts'

export type ReaderOptions = {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Where the pages' 7420 is here. */
  readonly port: number
  /** What pages write → what it is here. */
  readonly here: Readonly<Record<string, string>>
  /** What is done by hand: name → how. */
  readonly hands: Readonly<Record<string, (reader: Reader) => Promise<void>>>
}

const PORT = ':7420'
const COMMAND_MS = 300_000
/** How long something may take to be printed by what goes on. */
const SEEN_MS = 60_000
const LOOK_MS = 50

export class Reader {
  readonly names: Map<string, string> = new Map()
  readonly #options: ReaderOptions
  #folder: string
  /** What was printed and not looked at yet, by the last command and by what goes on. */
  readonly #printed = { command: '', running: '' }
  #looksAt: 'command' | 'running' = 'command'
  #running: ChildProcess | null = null

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#folder = options.folder
    mkdirSync(options.folder, { recursive: true })
  }

  async performStep(step: Step): Promise<void> {
    switch (step.kind) {
      case 'file':
        return this.#write(step.path, step.text)
      case 'run':
        return this.#run(step.command)
      case 'start':
        return this.#start(step.command)
      case 'seen':
        return this.#see(step.text)
      case 'hand':
        return this.#performByHand(step.name)
    }
  }

  /** Where the console of what goes on is. */
  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`
  }

  /** Interrupts what goes on, as Ctrl-C does, and waits for its end. */
  async stop(): Promise<void> {
    const child = this.#running
    this.#running = null
    if (child === null || child.exitCode !== null) return
    const exited = once(child, 'exit')
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
    const patience = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, SEEN_MS)
    await exited
    clearTimeout(patience)
  }

  get #env(): NodeJS.ProcessEnv {
    return { ...this.#options.env, RUBICON_PORT: String(this.#options.port) }
  }

  #write(path: string, text: string): void {
    const file = join(this.#folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  #resolveCommand(command: string): string {
    const { here, port } = this.#options
    let known = fillCommand(command, this.names).replaceAll(PORT, `:${port}`)
    for (const [written, real] of Object.entries(here)) known = known.replaceAll(written, real)
    return known
  }

  #run(command: string): void {
    const where = join(this.#options.folder, '.where')
    const script = `${this.#resolveCommand(command)}\npwd > '${where}'`
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', script], {
      cwd: this.#folder,
      env: this.#env,
      encoding: 'utf8',
      timeout: COMMAND_MS,
    })
    if (status !== 0) throw new Error(`\`${command}\` ended with ${status}\n${stdout}${stderr}`)
    this.#folder = readFileSync(where, 'utf8').trim()
    this.#printed.command = stdout === '' || stdout.endsWith('\n') ? stdout : `${stdout}\n`
    this.#looksAt = 'command'
  }

  #start(command: string): void {
    const child = spawn('sh', ['-e', '-c', `exec ${this.#resolveCommand(command)}`], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#running = child
    this.#looksAt = 'running'
    this.#printed.running = ''
    child.stdout.on('data', (chunk) => {
      this.#printed.running += chunk
    })
    // What it tells operators is no complaint.
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (!line.startsWith('{"notice":')) process.stderr.write(`${line}\n`)
    })
  }

  async #see(shown: string): Promise<void> {
    const until = performance.now() + SEEN_MS
    const source = this.#looksAt
    for (;;) {
      const printed = revealToken(this.#printed[source])
      const seen = matchOutput(shown, printed.replaceAll(`:${this.#options.port}`, PORT))
      if (seen !== null) {
        for (const [name, value] of seen.names) this.names.set(name, value)
        this.#printed[source] = seen.rest
        return
      }
      const isOver = source === 'command' || this.#running?.exitCode !== null
      if (isOver || performance.now() > until)
        throw new Error(`the page shows\n${shown}\n\nand this was printed\n${printed}`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  async #performByHand(name: string): Promise<void> {
    if (name === 'stop') return this.stop()
    const hand = this.#options.hands[name]
    if (hand === undefined) throw new Error(`nobody knows how to \`${name}\``)
    await hand(this)
    this.#looksAt = 'running'
  }
}

/** A reader has a terminal, and is shown the token that is put into a file here. */
function revealToken(printed: string): string {
  return printed.replace(/^( {2}token {4})in (.+)$/m, (_, label, file) => {
    return `${label}${readFileSync(file, 'utf8').trim()}`
  })
}
