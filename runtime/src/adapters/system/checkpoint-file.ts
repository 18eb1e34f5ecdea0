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
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { CheckpointSink } from '../../ports/checkpoint-sink.ts'

export function checkpointFolder(folder: string): CheckpointSink {
  const fileOf = (origin: string): string =>
    join(folder, `${encodeURIComponent(origin)}.checkpoint`)
  const read = (origin: string): string | null =>
    existsSync(fileOf(origin)) ? readFileSync(fileOf(origin), 'utf8') : null
  return {
    place: folder,
    latest: async (origin) => read(origin),
    async latestOf(logPrefix) {
      if (!existsSync(folder)) return null
      const epochs = readdirSync(folder)
        .filter((name) => name.endsWith('.checkpoint'))
        .map((name) => decodeURIComponent(name.slice(0, -'.checkpoint'.length)))
        .filter((origin) => origin.startsWith(`${logPrefix}/`))
        .map((origin) => Number(origin.slice(logPrefix.length + 1)))
        .filter((epoch) => Number.isSafeInteger(epoch))
      return epochs.length === 0 ? null : read(`${logPrefix}/${Math.max(...epochs)}`)
    },
    async save(origin, note) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const kept = read(origin)
      if (kept !== null && sizeOf(kept) > sizeOf(note)) return
      const target = fileOf(origin)
      writeDurably(`${target}.new`, note)
      renameSync(`${target}.new`, target)
      syncFolder(folder)
    },
  }
}

/** The second line of a checkpoint; nothing that cannot be read outweighs one that can. */
function sizeOf(note: string): number {
  const size = Number(note.split('\n')[1])
  return Number.isSafeInteger(size) ? size : -1
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
