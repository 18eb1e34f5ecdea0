/** The lines that a change touches, as people read differences. */
import { applySplices, type Splice } from 'rubicon-artifacts'
import type { EventStep } from 'rubicon-artifacts/store'
import { escapeText } from '../escape-text.ts'
import type { Output } from '../output.ts'

export type LineChange = {
  /** Of the first line, from 1 on. */
  readonly line: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Of each step by itself: the lines of a later one are those that the earlier ones left. */
export function listStepLines(first: string, steps: readonly EventStep[]): readonly LineChange[] {
  let text = first
  return steps.flatMap(({ splices }) => {
    const lines = listChangedLines(text, splices)
    text = applySplices(text, splices) ?? text
    return lines
  })
}

/** Whole lines: what stands beside a change on its line belongs to both sides. */
export function listChangedLines(
  before: string,
  splices: readonly Splice[],
): readonly LineChange[] {
  const changes: LineChange[] = []
  for (let i = 0; i < splices.length; ) {
    const first = splices[i]
    if (first === undefined) break
    const start = before.lastIndexOf('\n', first.start - 1) + 1
    let [end, added, done] = [start, '', start]
    for (; i < splices.length; i += 1) {
      const splice = splices[i]
      if (splice === undefined || (splice !== first && splice.start > end)) break
      added += before.slice(done, splice.start) + splice.text
      done = splice.end
      end = findLineEnd(before, splice.end)
    }
    added += before.slice(done, end)
    const line = before.slice(0, start).split('\n').length
    changes.push(
      trimSame({ line, removed: toLines(before.slice(start, end)), added: toLines(added) }),
    )
  }
  return changes
}

function findLineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at
  const next = text.indexOf('\n', at)
  return next < 0 ? text.length : next + 1
}

function toLines(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/u, '').split(/\r?\n/u)
}

/** Lines that are the same on both sides are no change. */
function trimSame({ line, removed, added }: LineChange): LineChange {
  let [from, behind] = [0, 0]
  const most = Math.min(removed.length, added.length)
  while (from < most && removed[from] === added[from]) from += 1
  while (behind < most - from && removed.at(-1 - behind) === added.at(-1 - behind)) behind += 1
  return {
    line: line + from,
    removed: removed.slice(from, removed.length - behind),
    added: added.slice(from, added.length - behind),
  }
}

export function showChangedLines(out: Output, file: string, changes: readonly LineChange[]): void {
  for (const { line, removed, added } of changes) {
    out.line(out.paint('grey', `${escapeText(file)}:${line}`))
    for (const text of removed) out.line(out.paint('red', `- ${text}`))
    for (const text of added) out.line(out.paint('green', `+ ${text}`))
  }
}
