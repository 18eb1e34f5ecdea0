/** Finds the patterns of injections in a text: words in a row, no regular expressions. */
import { INJECTION_PATTERNS, type InjectionFlag } from './injection-patterns.ts'
import { foldAscii, splitWords } from './words.ts'

/** How many words an optional part takes at most. */
const MOST_OPTIONAL = 4

/** So many words of these in a row. */
type Step = {
  readonly words: ReadonlySet<string>
  readonly least: number
  readonly most: number
}

type Phrase = { readonly flag: InjectionFlag; readonly steps: readonly Step[] }

const PHRASES: readonly Phrase[] = INJECTION_PATTERNS.flatMap(({ flag, phrases }) =>
  phrases.map((phrase) => ({ flag, steps: phrase.split(' ').map(parseStep) })),
)

/** By each word that a phrase can begin with: a document has many words, and few of these. */
const BEGINNING: ReadonlyMap<string, readonly Phrase[]> = indexPhrases(PHRASES)

/** The flags of the patterns that the text holds, in the order of the table. */
export function findInjections(text: string): readonly InjectionFlag[] {
  const folded = foldAscii(text)
  const said = findPhraseFlags(splitWords(text))
  return INJECTION_PATTERNS.filter(
    ({ flag, markers }) => said.has(flag) || markers.some((marker) => folded.includes(marker)),
  ).map(({ flag }) => flag)
}

function findPhraseFlags(all: readonly string[]): ReadonlySet<InjectionFlag> {
  const flags = new Set<InjectionFlag>()
  for (const [start, word] of all.entries()) {
    for (const { flag, steps } of BEGINNING.get(word) ?? []) {
      if (isPhraseAt(steps, all, start)) flags.add(flag)
    }
  }
  return flags
}

function indexPhrases(phrases: readonly Phrase[]): ReadonlyMap<string, readonly Phrase[]> {
  const found = new Map<string, readonly Phrase[]>()
  for (const phrase of phrases) {
    for (const word of phrase.steps.slice(0, 1).flatMap((step) => [...step.words])) {
      found.set(word, [...(found.get(word) ?? []), phrase])
    }
  }
  return found
}

function parseStep(part: string): Step {
  const optional = part.startsWith('(')
  const alternatives = (optional ? part.slice(1, -1) : part).split('|')
  return {
    words: new Set(alternatives),
    least: optional ? 0 : 1,
    most: optional ? MOST_OPTIONAL : 1,
  }
}

function isPhraseAt(steps: readonly Step[], all: readonly string[], start: number): boolean {
  let at = start
  for (const step of steps) {
    const taken = countMatches(step, all, at)
    if (taken < step.least) return false
    at += taken
  }
  return true
}

function countMatches(step: Step, all: readonly string[], start: number): number {
  let taken = 0
  while (taken < step.most && step.words.has(all[start + taken] ?? '')) taken += 1
  return taken
}
