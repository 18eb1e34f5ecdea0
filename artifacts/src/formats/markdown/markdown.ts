/** Markdown: documents of sections, and of requirements with their examples. */
import { err, ok } from 'rubicon-kernel'
import { nameSymbols } from '../../tree/name-symbols.ts'
import type { ParseResult } from '../../tree/parsed.ts'
import type { Tile, TileKind } from '../../tree/tile.ts'
import type { Format } from '../format.ts'
import { type Block, findCostly, readBlocks } from './read-blocks.ts'
import { collectRequirements } from './read-requirements.ts'
import { findRequirementOccurrences, findRequirementReferences } from './references.ts'
import { drawSections } from './sections.ts'

export const MARKDOWN_FORMAT: Format = {
  type: 'spec',
  media: 'text/markdown',
  endings: ['.md', '.markdown'],
  indentation: 'syntax',
  parse: parseMarkdown,
  findReferences: findRequirementReferences,
  findOccurrences: findRequirementOccurrences,
}

function parseMarkdown(text: string): ParseResult {
  const costly = findCostly(text)
  if (costly !== null) return err(costly)
  const blocks = readBlocks(text)
  const tiles = cutBlocks(text, blocks)
  if (tiles === null)
    return err({ detail: 'its blocks and its white space do not make up its text', at: null })
  const requirements = collectRequirements(text, blocks)
  if (!requirements.ok) return requirements
  const symbols = nameSymbols(drawSections(text, blocks))
  const inside = { start: text.startsWith('\uFEFF') ? 1 : 0, end: text.length }
  return ok({ text, tiles, symbols, container: { inside, separator: '' } })
}

/** A block is one tile: the white space in it is part of what it says. Null: something lies between blocks. */
function cutBlocks(text: string, blocks: readonly Block[]): readonly Tile[] | null {
  const tiles: Tile[] = []
  let at = 0
  for (const block of blocks) {
    if (block.start < at || !pushSpace(text, at, block.start, tiles)) return null
    tiles.push({ start: block.start, end: block.end, kind: toTileKind(block) })
    at = block.end
  }
  return pushSpace(text, at, text.length, tiles) ? tiles : null
}

function pushSpace(text: string, start: number, end: number, tiles: Tile[]): boolean {
  if (end > start) tiles.push({ start, end, kind: 'space' })
  return text.slice(start, end).trim() === ''
}

function toTileKind({ kind }: Block): TileKind {
  return kind === 'comment' ? 'comment' : 'literal'
}
