/** `rubicon tool import DOCUMENT [--operations A,B] [--out FOLDER]`: manifests to be reviewed, of an API that is described. */
import { draftOperations, readOperations, writeDrafts } from 'rubicon-runtime/tools'
import { type CommandCall, getArgument } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { unwrap } from './failure.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { findRegistrationProblem } from './tool-check.ts'

export async function importTools(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const read = unwrap(await readOperations(getArgument(call, 0, 'DOCUMENT')))
  const chosen = (options.text('operations') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const operations = read.operations.map(({ name, method, path }) => ({ name, method, path }))
  if (chosen.length === 0) {
    const rows = operations.map(({ name, method, path }) => [name, method, path])
    for (const line of formatTable(rows, out.width)) out.line(line)
    out.note(`${SYMBOLS.info} nothing was written: choose with --operations NAME,NAME`)
    out.data({ written: [], operations })
    return EXIT.done
  }
  const drafts = unwrap(draftOperations(read, chosen, findRegistrationProblem))
  const written = unwrap(await writeDrafts(drafts, options.text('out') ?? '.'))
  for (const { file, kind, undecided } of written) {
    out.line(`${out.symbol(SYMBOLS.allowed)} ${escapeText(`${file}: ${kind}`)}`)
    out.line(`  ${out.symbol(SYMBOLS.waiting)} ${escapeText(`undecided: ${undecided.join(', ')}`)}`)
  }
  out.note(
    `${SYMBOLS.info} each is refused until what is undecided is decided, and \`undecided\` taken out`,
  )
  out.data({
    written: written.map(({ file, kind, undecided }) => ({ file, kind, undecided })),
    operations,
  })
  return EXIT.done
}
