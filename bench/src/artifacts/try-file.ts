/** One file: whether its tiles are its text, and what our edits make of it. */
import { applySplices, type ParsedText, planDelta } from 'rubicon-artifacts'
import { Rng } from '../../../sim/src/rng.ts'
import type { ArtifactFile } from './artifact-corpus.ts'
import { drawCodeEdits, type EditSource } from './draw-code-edits.ts'
import { drawSectionEdits, drawValueEdits } from './draw-other-edits.ts'
import type { DrawnEdit } from './edit.ts'
import { LinePermits } from './permitted-lines.ts'
import { countOtherLines } from './touched-lines.ts'

export type TriedEdit = DrawnEdit &
  (
    | {
        readonly after: string
        readonly other: number
        /** Its inverse gives back the text before. */
        readonly isRestored: boolean
      }
    | { readonly after: null; readonly reason: string }
  )

export type TriedFile =
  /** Why it is none of its format. */
  { readonly unread: string } | { readonly isTiled: boolean; readonly edits: readonly TriedEdit[] }

export function tryFile(file: ArtifactFile, seed: number): TriedFile {
  const parsed = file.format.parse(file.text)
  if (!parsed.ok) return { unread: parsed.error.detail }
  const lines = new LinePermits(parsed.value)
  const source = { name: file.name, parsed: parsed.value, lines, rng: new Rng(seed) }
  const drawn = drawEdits(file, source)
  return {
    isTiled: isTiled(parsed.value),
    edits: drawn.map((edit) => tryEdit(file, parsed.value, edit)),
  }
}

function drawEdits({ format }: ArtifactFile, source: EditSource): readonly DrawnEdit[] {
  switch (format.type) {
    case 'code':
      return drawCodeEdits(source)
    case 'config':
      return drawValueEdits(source)
    case 'spec':
      return drawSectionEdits(source)
  }
}

/** Without a gap, without an overlap, none of them empty, and together the text. */
export function isTiled({ text, tiles }: Pick<ParsedText, 'text' | 'tiles'>): boolean {
  let at = 0
  for (const { start, end } of tiles) {
    if (start !== at || end <= start) return false
    at = end
  }
  return (
    at === text.length && tiles.map((tile) => text.slice(tile.start, tile.end)).join('') === text
  )
}

function tryEdit({ text, format }: ArtifactFile, parsed: ParsedText, edit: DrawnEdit): TriedEdit {
  const planned = planDelta(parsed, edit.delta, format)
  if (!planned.ok)
    return { ...edit, after: null, reason: `${planned.error.code} ${edit.placed.kind}` }
  const { splices, inverse } = planned.value
  const after = applySplices(text, splices)
  if (after === null) return { ...edit, after: null, reason: 'splices do not fit' }
  return {
    ...edit,
    after,
    other: countOtherLines(text, after, edit.permitted),
    isRestored: applySplices(after, inverse) === text,
  }
}
