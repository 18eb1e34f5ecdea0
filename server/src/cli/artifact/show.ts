/** `rubicon artifact show FILE [PATH]`: the tree of a file, or one symbol as it is written. */
import { findSymbol } from 'rubicon-artifacts'
import { type CommandCall, getArgument } from '../call.ts'
import { escapeText } from '../escape-text.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { createDeltaFailure, openArtifactPlace, readText, toArtifactId } from './artifact-place.ts'
import { listSymbolRows } from './symbol-row.ts'

export async function showArtifact(call: CommandCall): Promise<ExitCode> {
  const { args, out } = call
  const place = openArtifactPlace(call)
  const id = toArtifactId(place, getArgument(call, 0, 'FILE'))
  const read = readText(place, id)
  const { artifact, parsed } = read
  const head = { file: id, type: artifact.type, media: artifact.media, hash: artifact.hash }
  const path = args[1]
  if (path === undefined) {
    const symbols = listSymbolRows(read)
    out.line(out.paint('bold', escapeText(id)))
    for (const { kind, name, path: own, first_line } of symbols) {
      const indent = '  '.repeat(own.split('/').length)
      out.line(
        `${indent}${out.paint('violet', kind)} ${escapeText(name)} ${out.paint('grey', String(first_line))}`,
      )
    }
    out.data({ ...head, path: null, text: null, symbols })
    return EXIT.done
  }
  const found = findSymbol(parsed, path)
  if (!found.ok) throw createDeltaFailure(read, found.error)
  const { whole } = found.value
  const text = parsed.text.slice(whole.start, whole.end)
  for (const line of text.replace(/\r?\n$/u, '').split(/\r?\n/u)) out.line(line)
  out.data({ ...head, path, text, symbols: listSymbolRows(read, [found.value]) })
  return EXIT.done
}
