/** `rubicon export --trajectories [FILE]`: flows as a dataset, one a line, the newest first. */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { LIMITS } from 'rubicon-kernel'
import { getArchiveOption } from './archive-names.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { ALL_ROWS } from './list-pages.ts'
import { SYMBOLS, writeRaw } from './output.ts'
import { createVerbProgress } from './progress.ts'
import { unwrapAnswer } from './server-answer.ts'

export async function exportEpisodes(call: CommandCall): Promise<ExitCode> {
  if (getArchiveOption(call).length > 0)
    throw createUsageFailure(
      '`--archive` does not go with `--trajectories`',
      'put the flows back first: `rubicon archive restore FILE --apply`',
    )
  const { args, out, streams } = call
  const [file = '-'] = args
  if (file === '-') {
    await writeEpisodes(call, (line) => writeRaw(streams.stdout, line))
    return EXIT.done
  }
  const handle = openSync(file, 'w', 0o600)
  try {
    const episodes = await writeEpisodes(call, (line) => writeFileSync(handle, line))
    out.line(`${out.symbol(SYMBOLS.allowed)} ${episodes} flows in ${file}`)
    out.data({ file, episodes })
  } finally {
    closeSync(handle)
  }
  return EXIT.done
}

/** A page at a time, so that a long past needs no long memory. */
async function writeEpisodes(call: CommandCall, write: (line: string) => void): Promise<number> {
  const { options } = call
  const most = options.count('limit', ALL_ROWS, 1)
  const agent = options.text('agent')
  const progress = createVerbProgress(call)('flows')
  const written = await executeAsReader(call, async (client) => {
    let done = 0
    for (let cursor: string | undefined; done < most; ) {
      const limit = String(Math.min(LIMITS.listed, most - done))
      const page = unwrapAnswer(await client.listEpisodes({ query: { limit, cursor, agent } }))
      for (const episode of page.episodes) write(`${JSON.stringify(episode)}\n`)
      done += page.episodes.length
      progress.tell(done, null)
      if (page.next === null) break
      cursor = page.next
    }
    return done
  })
  progress.end()
  return written
}
