/**
 * Lines that somebody types, or that a script sends, one after the other.
 *
 * Boundary: readline, on the streams of the command. What is shown of the line goes to stderr.
 *
 * 1. No line is lost: what is typed or pasted while a command works waits for its turn.
 * 2. Only commands go into the history; answers to questions do not, and of a secret nothing is shown.
 * 3. Ctrl-C never ends the process here: it stops what works, or takes the line away.
 */
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { escapeControls } from 'rubicon-kernel'
import type { CommandStreams, Sink } from '../output.ts'

export type Completion = (line: string) => [readonly string[], string]

export type LinesOptions = {
  readonly streams: CommandStreams
  /** Newest first, as readline has it. */
  readonly history?: readonly string[]
  readonly complete?: Completion
  /** Of each command that was typed. */
  readonly onCommand?: (line: string) => void
}

export type Prompt = {
  readonly kind: 'command' | 'answer' | 'secret'
  readonly prompt: string
  /** What stands there to begin with. */
  readonly prefilled?: string
}

export class Lines {
  readonly isTerminal: boolean
  readonly #reader: Interface
  readonly #sink: Sink
  readonly #ahead: string[] = []
  readonly #onCommand: (line: string) => void
  #asked: Asked | null = null
  #ended = false
  #stop: (() => void) | null = null

  constructor({ streams, history = [], complete, onCommand = () => {} }: LinesOptions) {
    this.isTerminal = streams.stdin.isTTY === true
    this.#sink = streams.stderr
    this.#onCommand = onCommand
    this.#reader = createInterface({
      input: streams.stdin,
      ...(this.isTerminal ? { output: this.#createScreen(), history: [...history] } : {}),
      ...(complete === undefined
        ? {}
        : { completer: (line: string) => completeLine(complete, line) }),
      terminal: this.isTerminal,
    })
    this.#reader.on('line', (line) => this.#take(line))
    this.#reader.on('close', () => this.#end())
    this.#reader.on('SIGINT', () => this.#interrupt())
    this.#reader.on('history', (lines: string[]) => {
      if (this.#asked?.question.kind !== 'command') lines.shift()
    })
  }

  /** Null: there are no more, or a question was not answered. */
  readNext(question: Prompt): Promise<string | null> {
    const early = question.kind === 'command' || !this.isTerminal ? this.#ahead.shift() : undefined
    if (early !== undefined) return Promise.resolve(early)
    if (this.#ended) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#asked = { question, resolve }
      if (!this.isTerminal) return
      this.#show(question)
    })
  }

  /** `stop` is called at Ctrl-C until what is returned is called. */
  whileWorking(stop: () => void): () => void {
    const outside = this.isTerminal ? null : stop
    this.#stop = stop
    if (outside !== null) process.on('SIGINT', outside)
    return () => {
      this.#stop = null
      if (outside !== null) process.off('SIGINT', outside)
    }
  }

  close(): void {
    this.#reader.close()
  }

  #show({ prompt, prefilled }: Prompt): void {
    this.#reader.setPrompt(escapeControls(prompt))
    this.#reader.prompt()
    if (prefilled !== undefined) this.#reader.write(prefilled)
  }

  #take(line: string): void {
    const asked = this.#asked
    if (asked === null) {
      this.#ahead.push(line)
      return
    }
    this.#asked = null
    if (asked.question.kind === 'secret') this.#sink.write('\n')
    if (asked.question.kind === 'command' && this.isTerminal) this.#onCommand(line)
    asked.resolve(line)
  }

  #end(): void {
    this.#ended = true
    this.#asked?.resolve(null)
    this.#asked = null
  }

  #interrupt(): void {
    const asked = this.#asked
    if (asked === null) {
      this.#stop?.()
      return
    }
    this.#reader.write(null, { ctrl: true, name: 'e' })
    this.#reader.write(null, { ctrl: true, name: 'u' })
    this.#sink.write('^C\n')
    if (asked.question.kind === 'command') this.#reader.prompt()
    else {
      this.#asked = null
      asked.resolve(null)
    }
  }

  /** Shows the line while one is wanted; of a secret the prompt alone. */
  #createScreen(): Writable {
    const sink = this.#sink
    const write = (text: string): void => {
      const question = this.#asked?.question
      if (question === undefined) return
      if (question.kind !== 'secret') sink.write(text)
      else if (text.includes(question.prompt)) sink.write(question.prompt)
    }
    const screen = new Writable({
      write(chunk, _encoding, done) {
        write(String(chunk))
        done()
      },
    })
    // Long lines are drawn by the width of the terminal, whatever it is then.
    return Object.defineProperty(screen, 'columns', { get: () => sink.columns })
  }
}

type Asked = {
  readonly question: Prompt
  readonly resolve: (line: string | null) => void
}

function completeLine(complete: Completion, line: string): [string[], string] {
  const [hits, part] = complete(line)
  return [[...hits], part]
}
