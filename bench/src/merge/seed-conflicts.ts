/** Conflicts that no line shows, put into real files: one side takes away what the other begins to use. All have to be refused. */
import {
  applySplices,
  createGitMergeLines,
  mergeTexts,
  type ParsedText,
  planDelta,
  type Splice,
  type SymbolNode,
} from 'rubicon-artifacts'
import type { CorpusFile } from './corpus.ts'

export const SEEDED_KINDS = ['rename', 'signature', 'removal', 'enum'] as const
export type SeededKind = (typeof SEEDED_KINDS)[number]

export type SeededFigures = {
  seeded: number
  refused: number
  /** What git's merge of lines makes of them without a word. */
  git_merged: number
  first_merged: string | null
}

export function createSeededFigures(): SeededFigures {
  return { seeded: 0, refused: 0, git_merged: 0, first_merged: null }
}

/** The first function, method and enum of a file that can be taken. */
export function trySeeds(
  file: CorpusFile,
  figures: Readonly<Record<SeededKind, SeededFigures>>,
  kinds: readonly SeededKind[] = SEEDED_KINDS,
): void {
  if (file.format.type !== 'code') return
  for (const kind of kinds) trySeedsOf(kind === 'enum' ? addEnum(file) : file, kind, figures[kind])
}

function trySeedsOf(file: CorpusFile, kind: SeededKind, figures: SeededFigures): void {
  const parsed = file.format.parse(file.text)
  if (!parsed.ok) return
  for (const victim of listVictims(parsed.value.symbols, kind).slice(0, 2)) {
    const ours = breakVictim(file, parsed.value, victim, kind)
    const theirs = useVictim(file, parsed.value, victim)
    if (ours === null || theirs === null || !file.format.parse(ours).ok) continue
    judge(file, ours, theirs, `${kind} of ${victim.path}`, figures)
  }
}

/** Enums whose members have no values are rare: one is put in front, where the language has them. */
function addEnum(file: CorpusFile): CorpusFile {
  const text = `export enum AddedLevel {\n  low,\n  high,\n}\n${file.text}`
  return file.format.media !== 'text/javascript' && file.format.parse(text).ok
    ? { ...file, text }
    : file
}

function listVictims(symbols: readonly SymbolNode[], kind: SeededKind): readonly SymbolNode[] {
  const isFit = (node: SymbolNode): boolean =>
    kind === 'enum'
      ? node.kind === 'enum' && node.children.length > 0 && node.children.every(hasNoValue)
      : (node.kind === 'function' || node.kind === 'method') &&
        node.nameSpan !== null &&
        node.body !== null &&
        !node.path.includes('#')
  return symbols.flatMap((node) => [
    ...(isFit(node) ? [node] : []),
    ...listVictims(node.children, kind),
  ])
}

function hasNoValue({ body }: SymbolNode): boolean {
  return body === null
}

function breakVictim(
  { text, format }: CorpusFile,
  parsed: ParsedText,
  victim: SymbolNode,
  kind: SeededKind,
): string | null {
  switch (kind) {
    case 'rename':
      return applySplices(text, listNamings(parsed, victim.name))
    case 'signature': {
      const at = text.indexOf('(', victim.nameSpan?.end)
      return applySplices(text, [{ start: at + 1, end: at + 1, text: 'addedFirst, ' }])
    }
    case 'removal': {
      const plan = planDelta(parsed, { op: 'remove', target: victim.path }, format)
      return plan.ok ? applySplices(text, plan.value.splices) : null
    }
    case 'enum': {
      const at = victim.children[0]?.own.start ?? 0
      return applySplices(text, [{ start: at, end: at, text: 'addedFirst, ' }])
    }
  }
}

/** As somebody renames who knows only names: everywhere. */
function listNamings({ text, tiles }: ParsedText, name: string): readonly Splice[] {
  return tiles
    .filter(({ kind, start, end }) => kind === 'word' && text.slice(start, end) === name)
    .map(({ start, end }) => ({ start, end, text: `${name}Renamed` }))
}

function useVictim(
  { name, text, format }: CorpusFile,
  parsed: ParsedText,
  victim: SymbolNode,
): string | null {
  const isDeclared = /\.d\.[cm]?ts$/u.test(name)
  const call =
    victim.kind === 'enum'
      ? `${victim.name}[0]`
      : victim.kind === 'method'
        ? `arguments[0].${victim.name}()`
        : `${victim.name}()`
  const fragment = isDeclared
    ? `declare const addedUser: typeof ${victim.name}`
    : `function addedCaller() {\n  return ${call}\n}`
  const plan = planDelta(parsed, { op: 'addMember', target: '', fragment }, format)
  return plan.ok ? applySplices(text, plan.value.splices) : null
}

function judge(
  { name, text: base, format }: CorpusFile,
  ours: string,
  theirs: string,
  what: string,
  figures: SeededFigures,
): void {
  const mergeLines = createGitMergeLines()
  figures.seeded += 1
  if (mergeLines({ base, ours, theirs }).isClean) figures.git_merged += 1
  const sides = [
    mergeTexts({ base, ours, theirs }, format, { mergeLines }),
    mergeTexts({ base, ours: theirs, theirs: ours }, format, { mergeLines }),
  ]
  if (sides.every(({ conflicts }) => conflicts.length > 0)) figures.refused += 1
  else figures.first_merged ??= `${name}: ${what}`
}
