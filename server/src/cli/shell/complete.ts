/** What the last word of a line may become: commands first, then what has been on the screen. */

import { COMMANDS, QUIT } from './commands.ts'
import type { Completion } from './lines.ts'
import type { Seen } from './seen.ts'

export function createCompletion(seen: Seen): Completion {
  return (line) => {
    const words = line.trimStart().split(/\s+/)
    const part = words.at(-1) ?? ''
    const candidates = words.length <= 1 ? FIRST : listCompletions(words[0] ?? '', seen)
    const hits = candidates.filter((word) => word.startsWith(part))
    // The only one is whole; what is typed next is another word.
    return [hits.length === 1 ? hits.map(appendSpace) : hits, part]
  }
}

function appendSpace(word: string): string {
  return word.endsWith('=') ? word : `${word} `
}

const FIRST: readonly string[] = [...COMMANDS.map(({ name }) => name), ...QUIT]

function listCompletions(name: string, seen: Seen): readonly string[] {
  const command = COMMANDS.find((known) => known.name === name)
  if (command === undefined) return []
  const { words = [], about = [], options = [], flags = [] } = command
  const names = about.flatMap((kind) => seen.listNames(kind))
  const given = [...options, ...flags].map((option) => `--${option}`)
  return [...words, ...names, ...given]
}
