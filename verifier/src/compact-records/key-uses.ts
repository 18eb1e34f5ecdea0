/** Where a key was used, a few bytes each: a compromise reaches back to all of them. */
import type { KeyPosition } from 'rubicon-kernel'
import type { Place } from '../report/report.ts'
import { createByteLog } from './byte-log.ts'
import { createNames, RecordReader, RecordWriter } from './record.ts'

export type KeyUses = {
  readonly add: (position: KeyPosition, place: Place) => void
  readonly listPlaces: (matches: (position: KeyPosition) => boolean) => readonly Place[]
}

/** Records are written together: one alone would be rounded up to a multiple of eight bytes. */
const TOGETHER = 256

export function createKeyUses(): KeyUses {
  const log = createByteLog()
  const blocks: { readonly place: number; readonly count: number }[] = []
  const names = createNames()
  const writer = new RecordWriter(names)
  let count = 0

  const flush = (): void => {
    if (count > 0) blocks.push({ place: log.append(writer.bytes, writer.length), count })
    writer.clear()
    count = 0
  }

  return {
    add({ seen, at }, { leaf, trajectory, seq }) {
      if (count === TOGETHER) flush()
      count += 1
      // From -1 on, where nothing was seen so far.
      writer.count(seen + 1)
      writer.count(at + 1)
      writer.count((leaf ?? -1) + 1)
      writer.name(trajectory ?? '')
      writer.count((seq ?? -1) + 1)
    },
    listPlaces(matches) {
      flush()
      const found: Place[] = []
      for (const block of blocks) {
        const { piece, start } = log.at(block.place)
        const record = new RecordReader(names, piece, start)
        for (let i = 0; i < block.count; i += 1) {
          const position = { seen: record.count() - 1, at: record.count() - 1 }
          const leaf = record.count() - 1
          const at = { leaf, trajectory: record.name(), seq: record.count() - 1 }
          if (matches(position)) found.push(at)
        }
      }
      return found
    },
  }
}
