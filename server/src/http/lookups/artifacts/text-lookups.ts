/** What artifacts hold: symbols, texts, and what differs between two entries. */
import type { Comparison, DeskText, DifferentLines, DifferentSymbol } from 'rubicon-artifacts/desk'
import { err, ok, type Result } from 'rubicon-kernel'
import { ARTIFACT_ANSWER, type ArtifactFact } from '../../schemas/artifact.ts'
import { type Reply, toReply } from '../../schemas/route.ts'
import { parseLimit } from '../../schemas/shape.ts'
import { findArtifact } from '../../views/artifact-fact.ts'
import { encodeCursor, parseNumberCursor } from '../../views/list-page.ts'
import type { LookupRequest } from '../lookup.ts'
import { NOT_CONFIGURED, refuseLongSlice, refuseUnknownArtifact } from './artifact-refusals.ts'
import type { ArtifactTexts } from './artifact-texts.ts'
import { readAskedMoment, toSeq, type WorldParts } from './world-reads.ts'

export type TextParts = WorldParts & { readonly texts: ArtifactTexts }

type FoundText = {
  readonly seq: number
  readonly fact: ArtifactFact
  readonly text: DeskText
}

async function readNamedText(
  parts: TextParts,
  trajectory: string,
  name: string,
  at: number | undefined,
): Promise<Result<FoundText, Reply>> {
  const asked = await readAskedMoment(parts, trajectory, at)
  if (!asked.ok) return asked
  const { moment } = asked.value
  const { seq } = moment.entry.envelope
  const fact = findArtifact(moment, name)
  if (fact === null) return err(refuseUnknownArtifact(name, trajectory, seq))
  const text = await parts.texts.readText(name, fact)
  return text.ok ? ok({ seq, fact, text: text.value }) : text
}

export async function listSymbols(
  parts: TextParts,
  { params: { id = '' }, query }: LookupRequest,
): Promise<Reply> {
  const { name = '', below, depth } = query
  const place = parseNumberCursor(query, 2)
  if (!place.ok) return place.error
  const [pinned, offset = 0] = place.value ?? []
  const found = await readNamedText(parts, id, name, pinned ?? toSeq(query.at))
  if (!found.ok) return found.error
  const { seq, fact, text } = found.value
  const narrowed = {
    ...(below === undefined ? {} : { below }),
    ...(depth === undefined ? {} : { depth: Number(depth) }),
  }
  const { content_hash, media } = fact
  const answer = await parts.texts.ask(
    { ask: 'symbols', name, media, content_hash, ...narrowed },
    { ask: 'symbols', text, ...narrowed },
  )
  if (!answer.ok) return answer.error
  const { symbols } = answer.value
  const end = Math.min(symbols.length, offset + parseLimit(query))
  const next = end < symbols.length ? encodeCursor([String(seq), String(end)]) : null
  const shown = symbols.slice(offset, end)
  return toReply({ name, at: seq, content_hash, total: symbols.length, symbols: shown, next })
}

export async function showText(
  parts: TextParts,
  { params: { id = '' }, query }: LookupRequest,
): Promise<Reply> {
  const { name = '', path = '' } = query
  const found = await readNamedText(parts, id, name, toSeq(query.at))
  if (!found.ok) return found.error
  const { seq, fact, text } = found.value
  const { content_hash, media } = fact
  // All of it is what lies there: nobody has to be able to parse it.
  const slice =
    path === ''
      ? ok({ text: text.text, lines: [1, countLines(text.text)], definition_hash: null })
      : await parts.texts.ask(
          { ask: 'slice', name, media, content_hash, path },
          { ask: 'slice', text, path },
        )
  if (!slice.ok) return slice.error
  const { lines, definition_hash, text: shown } = slice.value
  if (shown.length > ARTIFACT_ANSWER.textLength) return refuseLongSlice(name, shown.length)
  return toReply({ name, at: seq, path, content_hash, definition_hash, lines, text: shown })
}

function countLines(text: string): number {
  const lines = text.split('\n').length
  return text.endsWith('\n') ? Math.max(1, lines - 1) : lines
}

export async function compareMoments(
  parts: TextParts,
  { params: { id = '' }, query }: LookupRequest,
): Promise<Reply> {
  const { name = '' } = query
  if (!parts.texts.isConfigured) return NOT_CONFIGURED
  const from = await readSide(parts, id, name, toSeq(query.from))
  if (!from.ok) return from.error
  const to = await readSide(parts, id, name, toSeq(query.to))
  if (!to.ok) return to.error
  const [before, after] = [from.value, to.value]
  if (before.fact === null && after.fact === null) return refuseUnknownArtifact(name, id, after.seq)
  const sides = { name, from: toSideView(before), to: toSideView(after) }
  if (before.fact?.content_hash === after.fact?.content_hash)
    return toReply({ ...sides, ...cutComparison(NO_DIFFERENCE) })
  const answer = await parts.texts.ask(
    {
      ...{ ask: 'compare', name },
      before: before.fact?.content_hash ?? null,
      after: after.fact?.content_hash ?? null,
      media: [before.fact?.media ?? null, after.fact?.media ?? null],
    },
    { ask: 'compare', before: before.text, after: after.text },
  )
  return answer.ok ? toReply({ ...sides, ...cutComparison(answer.value) }) : answer.error
}

type ComparedSide = {
  readonly seq: number
  /** Null: there is no such artifact then. */
  readonly fact: ArtifactFact | null
  readonly text: DeskText | null
}

async function readSide(
  parts: TextParts,
  trajectory: string,
  name: string,
  at: number | undefined,
): Promise<Result<ComparedSide, Reply>> {
  const asked = await readAskedMoment(parts, trajectory, at)
  if (!asked.ok) return asked
  const { moment } = asked.value
  const { seq } = moment.entry.envelope
  const fact = findArtifact(moment, name)
  if (fact === null) return ok({ seq, fact, text: null })
  const text = await parts.texts.readText(name, fact)
  return text.ok ? ok({ seq, fact, text: text.value }) : text
}

function toSideView({ seq, fact }: ComparedSide): object {
  return { seq, content_hash: fact?.content_hash ?? null }
}

const NO_DIFFERENCE: Comparison = {
  by: 'symbols',
  ...{ added: [], removed: [], changed: [], renamed: [], moved: [] },
  lines: [],
}

const LISTS = ['added', 'removed', 'changed', 'renamed', 'moved'] as const

function cutComparison(comparison: Comparison): object {
  const most = ARTIFACT_ANSWER.differences
  const lists: Partial<Record<(typeof LISTS)[number], readonly DifferentSymbol[]>> = {}
  for (const list of LISTS) lists[list] = comparison[list].slice(0, most)
  const lines = cutLines(comparison.lines)
  const cut = LISTS.some((list) => comparison[list].length > most) || lines.isCut
  return { by: comparison.by, ...lists, lines: lines.shown, cut }
}

function cutLines(lines: readonly DifferentLines[]): {
  readonly shown: readonly DifferentLines[]
  readonly isCut: boolean
} {
  let [count, length] = [0, 0]
  const end = lines.findIndex(({ removed, added }) => {
    const both = [...removed, ...added]
    count += both.length
    length += both.reduce((sum, line) => sum + line.length, 0)
    return count > ARTIFACT_ANSWER.lines || length > ARTIFACT_ANSWER.linesLength
  })
  return { shown: end < 0 ? lines : lines.slice(0, end), isCut: end >= 0 }
}
