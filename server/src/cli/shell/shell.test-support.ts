/** The shell at a terminal that a test types at, in this process. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import type { TestContext } from 'node:test'
import { main } from '../main.ts'

export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'
export const CTRL_U = '\u0015'

/** For a machine that does other things as well: whatever is printed ends the wait. */
const PATIENCE_MS = 120_000

export type Typist = {
  /** Types; a line ends with `\r`. */
  type(text: string): void
  /** Waits until this was printed after what was waited for before. */
  until(pattern: RegExp): Promise<string>
  /** Data alone. */
  stdout(): string
  /** Everything, as it came. */
  screen(): string
  readonly ended: Promise<number>
}

export type ShellPlace = {
  readonly url: string
  readonly token?: string
  readonly state: string
  /** How wide the terminal is, if data is printed on one. */
  readonly columns?: number
}

export function typeAt(
  t: TestContext,
  { url, token, state, columns }: ShellPlace,
  more: readonly string[] = [],
): Typist {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  let stdout = ''
  let screen = ''
  let from = 0
  let look = (): void => {}
  const print = (text: string): void => {
    screen += text
    look()
  }
  const ended = main(['shell', url, '--state', state, ...more], {
    stdin,
    stdout: {
      write(text) {
        stdout += text
        print(text)
      },
      ...(columns === undefined ? {} : { isTTY: true, columns }),
    },
    stderr: { write: print },
    env: token === undefined ? {} : { RUBICON_TOKEN: token },
  })
  t.after(async () => {
    stdin.end()
    await ended
  })
  return {
    type: (text) => void stdin.write(text),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        // What is never printed would else be waited for until somebody ends the test.
        const late = setTimeout(() => {
          const rest = screen.slice(from)
          reject(new Error(`${pattern} was not printed, but ${JSON.stringify(rest)}`))
        }, PATIENCE_MS)
        look = () => {
          const found = pattern.exec(screen.slice(from))
          if (found === null) return
          look = () => {}
          clearTimeout(late)
          from += found.index + found[0].length
          resolve(found[0])
        }
        look()
      }),
    stdout: () => stdout,
    screen: () => screen,
    ended,
  }
}

export type Piped = { readonly exit: number; readonly stdout: string; readonly stderr: string }

/** Commands from a script. */
export async function pipeInto(
  { url, token, state }: ShellPlace,
  commands: readonly string[],
  more: readonly string[] = [],
): Promise<Piped> {
  const stdin = new PassThrough()
  stdin.end(`${commands.join('\n')}\n`)
  let stdout = ''
  let stderr = ''
  const exit = await main(['shell', url, '--state', state, ...more], {
    stdin,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    env: token === undefined ? {} : { RUBICON_TOKEN: token },
  })
  return { exit, stdout, stderr }
}

/** What a script reads: one value a line. */
export function rowsOf(stdout: string): readonly ReturnType<typeof JSON.parse>[] {
  assert.ok(stdout.endsWith('\n'))
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
