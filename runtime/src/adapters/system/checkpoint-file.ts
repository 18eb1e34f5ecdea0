/** Checkpoints as files: written aside, synced, then renamed, so that a crash leaves the old one. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type CheckpointSink, findHighestEpoch } from '../../ports/checkpoint-sink.ts'

const SUFFIX = '.checkpoint'
/** The largest and the one before it: whoever reads while it is replaced finds one of them. */
const KEPT = 2

export function openCheckpointFolder(folder: string): CheckpointSink {
  const listKept = (): readonly Kept[] => {
    const names = existsSync(folder) ? readdirSync(folder) : []
    return names.flatMap(parseName).sort((a, b) => b.size - a.size)
  }
  const readLatest = (origin: string): string | null => {
    const file = listKept().find((one) => one.origin === origin)
    if (file === undefined) return null
    const path = join(folder, file.name)
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      // Another process has put larger ones there meanwhile; what cannot be read is not missing.
      if (existsSync(path)) throw error
      return readLatest(origin)
    }
  }
  return {
    place: folder,
    latest: async (origin) => readLatest(origin),
    async latestOf(logPrefix) {
      const epoch = findHighestEpoch(
        listKept().map(({ origin }) => origin),
        logPrefix,
      )
      const note = epoch === null ? null : readLatest(`${logPrefix}/${epoch}`)
      return epoch === null || note === null ? null : { epoch, note }
    },
    async save(origin, note) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const target = join(folder, `${encodeURIComponent(origin)}@${parseTreeSize(note)}${SUFFIX}`)
      const aside = `${target}.${process.pid}.new`
      writeDurably(aside, note)
      renameSync(aside, target)
      flushFolder(folder)
      const older = listKept().filter((file) => file.origin === origin)
      for (const { name } of older.slice(KEPT)) rmSync(join(folder, name), { force: true })
    },
  }
}

type Kept = { readonly name: string; readonly origin: string; readonly size: number }

/** The size is in the name: processes that share the folder cannot put a smaller one over a larger. */
function parseName(name: string): readonly Kept[] {
  const at = name.lastIndexOf('@')
  if (at < 0 || !name.endsWith(SUFFIX)) return []
  const size = Number(name.slice(at + 1, -SUFFIX.length))
  return [{ name, origin: decodeURIComponent(name.slice(0, at)), size }]
}

/** The second line of a checkpoint; nothing that cannot be read outweighs one that can. */
function parseTreeSize(note: string): number {
  const size = Number(note.split('\n')[1])
  return Number.isSafeInteger(size) ? size : -1
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
