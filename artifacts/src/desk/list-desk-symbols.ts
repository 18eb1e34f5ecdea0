/** Answers which symbols a text has, and what one of them says. */
import { err, ok, type Result } from 'rubicon-kernel'
import { computeContentHash } from '../store/content-hash.ts'
import { sliceSpan } from '../text/span.ts'
import { hashDefinition } from '../tree/definition-hash.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { describeProblem } from './describe-problem.ts'
import type { DeskAnswers, DeskProblem, DeskSymbol } from './desk-answer.ts'
import { computeSha256, openText } from './desk-project.ts'
import type { SliceRequest, SymbolsRequest } from './desk-request.ts'
import { TextPlaces } from './text-places.ts'

export function listDeskSymbols(
  request: SymbolsRequest,
): Result<DeskAnswers['symbols'], DeskProblem> {
  const { text, below = '', depth = Number.POSITIVE_INFINITY } = request
  const opened = openText(text)
  if (!opened.ok) return opened
  const { parsed, format, artifact } = opened.value
  const found = below === '' ? null : findSymbol(parsed, below)
  if (found?.ok === false) return err(describeProblem(found.error, artifact, text.text))
  const places = new TextPlaces(text.text)
  const rule = { type: format.type, sha256: computeSha256 }
  const symbols: DeskSymbol[] = []
  const visit = (level: readonly SymbolNode[], left: number): void => {
    if (left <= 0) return
    for (const symbol of level) {
      const { path, kind, name, own, order, children } = symbol
      symbols.push({
        ...{ path, kind, name, order },
        lines: places.findRange(own),
        definition_hash: hashDefinition(parsed, symbol, rule),
        children: children.length,
      })
      visit(children, left - 1)
    }
  }
  visit(found === null ? parsed.symbols : found.value.children, depth)
  return ok({ symbols })
}

export function readSlice({ text, path }: SliceRequest): Result<DeskAnswers['slice'], DeskProblem> {
  const content_hash = computeContentHash(Buffer.from(text.text))
  const places = new TextPlaces(text.text)
  if (path === '') {
    const lines = places.findRange({ start: 0, end: text.text.length })
    return ok({ text: text.text, lines, definition_hash: null, content_hash })
  }
  const opened = openText(text)
  if (!opened.ok) return opened
  const { parsed, format, artifact } = opened.value
  const found = findSymbol(parsed, path)
  if (!found.ok) return err(describeProblem(found.error, artifact, text.text))
  // With its comments: who reads it reads what was written about it.
  const { whole } = found.value
  return ok({
    text: sliceSpan(parsed.text, whole),
    lines: places.findRange(whole),
    definition_hash: hashDefinition(parsed, found.value, {
      type: format.type,
      sha256: computeSha256,
    }),
    content_hash,
  })
}
