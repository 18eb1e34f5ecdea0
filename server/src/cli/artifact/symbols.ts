/** `rubicon artifact symbols FILE|FOLDER`: every symbol that can be named, with its file and its lines. */
import { statSync } from 'node:fs'
import { findFormat } from 'rubicon-artifacts'
import { listFiles } from 'rubicon-artifacts/files'
import { type CommandCall, getArgument } from '../call.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CliFailure, formatFailureLines } from '../failure.ts'
import { formatTable } from '../output.ts'
import { type ArtifactPlace, openArtifactPlace, readText, toArtifactId } from './artifact-place.ts'
import { listSymbolRows, type SymbolRow } from './symbol-row.ts'

export type FoundSymbol = SymbolRow & { readonly file: string }

type Listed = {
  readonly symbols: readonly FoundSymbol[]
  readonly refused: readonly { readonly file: string; readonly error: CliFailure['failure'] }[]
}

export async function listSymbols(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const place = openArtifactPlace(call)
  const given = getArgument(call, 0, 'FILE|FOLDER')
  const id = toArtifactId(place, given)
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true
  const listed = isFolder ? listFolder(place, id) : { symbols: listFile(place, id), refused: [] }
  const [kind, name] = [options.text('kind'), options.text('name')]
  const symbols = listed.symbols.filter(
    (symbol) =>
      (kind === undefined || symbol.kind === kind) && (name === undefined || symbol.name === name),
  )
  const cells = symbols.map((symbol) => [
    symbol.path,
    `${symbol.file}:${symbol.first_line}`,
    symbol.order === 'fixed' ? 'place counts' : '',
  ])
  for (const line of formatTable(cells, out.width)) out.line(line)
  for (const { error } of listed.refused)
    for (const line of formatFailureLines(error)) out.note(line)
  out.data({ symbols, refused: listed.refused })
  return listed.refused.length === 0 ? EXIT.done : EXIT.findings
}

function listFile(place: ArtifactPlace, id: string): readonly FoundSymbol[] {
  return listSymbolRows(readText(place, id)).map((row) => ({ file: id, ...row }))
}

/** One that cannot be read must not hide the others. */
function listFolder(place: ArtifactPlace, id: string): Listed {
  const { ids, problems } = listFiles(place.root, id)
  const symbols: FoundSymbol[] = []
  const refused = problems.map(({ file, code, detail, fix }) => ({
    file: file ?? id,
    error: { code, summary: detail, fix } as CliFailure['failure'],
  }))
  for (const file of ids.filter((one) => findFormat(one) !== undefined))
    try {
      symbols.push(...listFile(place, file))
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error
      refused.push({ file, error: error.failure })
    }
  return { symbols, refused }
}
