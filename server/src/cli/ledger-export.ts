/**
 * `rubicon ledger export FILE`: the whole ledger, as it comes.
 *
 * What is cut off on its way is found: the checkpoint in the first line says how many entries there are.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { type ClientOptions, createCall } from 'rubicon-agents'
import { isObject, parseCheckpoint, parseJson, parseNote } from 'rubicon-kernel'
import { assertNoServer, getArchiveOption } from './archive-names.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { ensureFreshCheckpoint } from './fresh-checkpoint.ts'
import { SYMBOLS, writeRaw } from './output.ts'
import { createVerbProgress, type ShownProgress } from './progress.ts'
import { unwrapAnswer } from './server-answer.ts'

export async function exportWholeLedger(call: CommandCall): Promise<ExitCode> {
  const { out, streams } = call
  const file = getArgument(call, 0, 'FILE')
  await ensureFreshCheckpoint(call)
  const progress = createVerbProgress(call)('entries')
  const archives = getArchiveOption(call)
  const download = (write: (text: string) => void): Promise<number> =>
    archives.length === 0
      ? executeAsReader(call, (_, asks) => downloadLedger(asks, write, progress))
      : writeWithArchives(call, archives, write, progress)
  if (file === '-') {
    await download((text) => writeRaw(streams.stdout, text))
    progress.end()
    return EXIT.done
  }
  const handle = openSync(file, 'w', 0o600)
  try {
    const entries = await download((text) => writeFileSync(handle, text))
    progress.end()
    out.line(`${out.symbol(SYMBOLS.allowed)} ${entries} entries in ${file}`)
    out.note(`${SYMBOLS.info} anyone can check it: npx rubicon verify ${file}`)
    out.data({ file, entries })
  } finally {
    closeSync(handle)
  }
  return EXIT.done
}

/** From the store itself: a server does not read files of whoever asks. */
async function writeWithArchives(
  call: CommandCall,
  archives: readonly string[],
  write: (text: string) => void,
  progress: ShownProgress,
): Promise<number> {
  assertNoServer(call)
  const { readWithArchives } = await import('./archive-option.ts')
  const { exportLedger } = await import('rubicon-runtime/evidence')
  return readWithArchives(call.place, archives, async (store) => {
    const { entries } = unwrap(await exportLedger(store, write, progress.tell))
    return entries
  })
}

/** How many entries came. */
async function downloadLedger(
  asks: ClientOptions,
  write: (text: string) => void,
  progress: ShownProgress,
): Promise<number> {
  const asked = await createCall(asks)<AsyncIterable<Uint8Array>>(
    'GET',
    '/v1/ledger/export',
    {},
    'stream',
  )
  const decoder = new TextDecoder()
  let head = ''
  let size: number | null = null
  let lines = 0
  try {
    for await (const bytes of unwrapAnswer(asked)) {
      const text = decoder.decode(bytes, { stream: true })
      write(text)
      lines += countNewlines(text)
      if (size === null) {
        head += text
        if (lines > 0) size = readSize(head.slice(0, head.indexOf('\n')))
      }
      progress.tell(Math.max(0, lines - 1), size)
    }
  } catch (error) {
    throw error instanceof CliFailure ? error : createCutFailure(lines - 1, size, error)
  }
  if (size === null || lines - 1 !== size) throw createCutFailure(lines - 1, size)
  return size
}

function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** How many entries the header says there are; null: it is none. */
function readSize(line: string): number | null {
  const read = parseJson(new TextEncoder().encode(line))
  const note = read.ok && isObject(read.value) ? read.value.checkpoint : undefined
  const parsed = typeof note === 'string' ? parseNote(note) : null
  return parsed?.ok === true ? (parseCheckpoint(parsed.value.body)?.size ?? null) : null
}

function createCutFailure(came: number, size: number | null, error?: unknown): CliFailure {
  const why = error instanceof Error ? { why: error.message } : {}
  return new CliFailure({
    code: 'EXPORT_CUT',
    summary: `the ledger was cut off: ${Math.max(0, came)} of ${size ?? 'its'} entries came`,
    ...why,
    fix: 'run it again; what was written so far is no ledger',
  })
}
