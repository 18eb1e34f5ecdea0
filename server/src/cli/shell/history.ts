/**
 * The commands that were typed before, in a file that only its owner reads.
 *
 * 1. It holds commands only: no answers, and no line that has a token in it.
 * 2. It stays small: the last lines, each of bounded length.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const KEPT = 500
const LONGEST = 2_000
/** Tokens of people and of sessions, however they came there. */
const TOKEN = /\brb[os]_/

export class History {
  readonly #path: string
  readonly #secret: string
  /** Oldest first. */
  #lines: readonly string[]

  constructor(path: string, secret: string) {
    this.#path = path
    this.#secret = secret
    this.#lines = read(path)
  }

  listNewestFirst(): readonly string[] {
    return this.#lines.toReversed()
  }

  /** Written at once: a shell that is killed has lost nothing. */
  add(line: string): void {
    const text = line.trim()
    if (text === '' || text.length > LONGEST || text === this.#lines.at(-1)) return
    if (TOKEN.test(text) || text.includes(this.#secret)) return
    this.#lines = [...this.#lines, text].slice(-KEPT)
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
      writeFileSync(this.#path, `${this.#lines.join('\n')}\n`, { mode: 0o600 })
    } catch {
      // A history that cannot be kept is no reason to stop somebody at work.
    }
  }
}

function read(path: string): readonly string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.filter((line) => line !== '' && line.length <= LONGEST).slice(-KEPT)
  } catch {
    return []
  }
}
