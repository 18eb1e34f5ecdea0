/** What is remembered of an intent until nothing can undo it any more, in few bytes. */
import type { Address } from 'rubicon-kernel'
import type { Packing } from '../compact-records/packed-map.ts'
import { readOptional, writeOptional } from '../compact-records/packings.ts'

/** Of an intent: what is compared with whatever undoes it. */
export type Origin = {
  /** The hash of what undoes it: where, as which step, and what was done. */
  readonly undoing: string
  /** What it undoes itself. */
  readonly undoes: Address | null
  /** Of a choice to undo something: its flow, and the authority that it stands on. */
  readonly choice: string | null
  /** What was chosen, and of which flow. */
  readonly chosen: string | null
  /** Chosen beforehand, for the case that it fails. */
  readonly isFixed: boolean
}

export type Known = {
  /** Null: so far it was only named. */
  readonly origin: Origin | null
  readonly sent: boolean
  readonly committed: boolean
}

export const NOT_KNOWN: Known = { origin: null, sent: false, committed: false }

export const KNOWN_INTENT: Packing<Known> = {
  write(record, { origin, sent, committed }) {
    record.writeFlag(sent)
    record.writeFlag(committed)
    writeOptional(record, origin, (one) => {
      record.text(one.undoing)
      writeOptional(record, one.undoes, (id) => record.text(id))
      writeOptional(record, one.choice, (text) => record.text(text))
      writeOptional(record, one.chosen, (text) => record.text(text))
      record.writeFlag(one.isFixed)
    })
  },
  read: (record) => ({
    sent: record.readFlag(),
    committed: record.readFlag(),
    origin: readOptional(record, () => ({
      undoing: record.text(),
      undoes: readOptional(record, () => record.text() as Address),
      choice: readOptional(record, () => record.text()),
      chosen: readOptional(record, () => record.text()),
      isFixed: record.readFlag(),
    })),
  }),
}
