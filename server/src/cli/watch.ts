/** `rubicon flows watch`: entries as they are written; one JSON value a line with --json. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from 'rubicon-runtime/ports'
import type { CommandCall } from './call.ts'
import { formatEntry, toEntrySummaryView } from './entry-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { readFromStore } from './open.ts'
import { SYMBOLS } from './output.ts'

const EVERY_MS = 250
const PAGE = 200

export async function watch(call: CommandCall): Promise<ExitCode> {
  const { options, place, out } = call
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    await readFromStore(place, async (store) => {
      const from = options.count('from', await store.countLeaves())
      if (!options.hasFlag('untilIdle')) out.note(`${SYMBOLS.info} watching; Ctrl-C ends it`)
      await follow(call, store, from, stop.signal)
    })
  } finally {
    process.off('SIGINT', interrupt)
  }
  return EXIT.done
}

async function follow(
  { options, out }: CommandCall,
  store: Store,
  from: number,
  signal: AbortSignal,
): Promise<void> {
  let next = from
  while (!signal.aborted) {
    const page = await store.listLeaves(next, PAGE)
    for (const entry of page) {
      const view = toEntrySummaryView(entry)
      out.line(formatEntry(view))
      out.row(view)
    }
    next += page.length
    if (page.length > 0) continue
    if (options.hasFlag('untilIdle')) return
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
  }
}
