/** Answers what is different between two texts: by symbols where both are read, and by lines. */
import { compareSymbols, type SymbolChange } from '../compare/compare-symbols.ts'
import { compareSequences } from '../merge/compare-sequences.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Comparison, DifferentLines, DifferentSymbol } from './desk-answer.ts'
import { findDeskFormat } from './desk-project.ts'
import type { CompareRequest } from './desk-request.ts'
import type { DeskText } from './desk-text.ts'
import { splitLines } from './join-steps.ts'
import { readKept } from './kept-artifacts.ts'
import { TextPlaces } from './text-places.ts'

export function compareTexts({ before, after }: CompareRequest): Comparison {
  const [old, now] = [before?.text ?? '', after?.text ?? '']
  const [one, other] = [readSymbols(before), readSymbols(after)]
  const isRead = one !== null && other !== null
  const changes = isRead ? compareSymbols(one, other) : []
  const places = { before: new TextPlaces(old), after: new TextPlaces(now) }
  const listOf = (change: SymbolChange['change']): readonly DifferentSymbol[] =>
    changes
      .filter((found) => found.change === change)
      .map(({ path, kind, was, parts, at }) => {
        const lines = (change === 'removed' ? places.before : places.after).findRange(at)
        return { path, kind, was, parts, lines }
      })
  return {
    by: isRead ? 'symbols' : 'lines',
    added: listOf('added'),
    removed: listOf('removed'),
    changed: listOf('changed'),
    renamed: listOf('renamed'),
    moved: listOf('moved'),
    lines: compareLines(old, now),
  }
}

/** Null: nothing reads it. What is not there has no symbols. */
function readSymbols(text: DeskText | null): ParsedText | null {
  if (text === null)
    return {
      text: '',
      tiles: [],
      symbols: [],
      container: { inside: { start: 0, end: 0 }, separator: '' },
    }
  return readKept(text.artifact, text.text, findDeskFormat(text)).parsed
}

function compareLines(before: string, after: string): readonly DifferentLines[] {
  const [one, other] = [splitLines(before), splitLines(after)]
  const whole = { start: 0, end: one.length, from: 0, to: other.length }
  const hunks = compareSequences(one, other) ?? (before === after ? [] : [whole])
  return hunks.map(({ start, end, from, to }) => ({
    from: start + 1,
    to: from + 1,
    removed: one.slice(start, end).map(cutBreak),
    added: other.slice(from, to).map(cutBreak),
  }))
}

function cutBreak(line: string): string {
  return line.replace(/\r?\n$/u, '')
}
