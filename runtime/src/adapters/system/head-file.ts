/**
 * The newest head in a file beside the keys. There are two places in it, used in turn: whoever is stopped
 * in the middle of a write leaves the one before.
 */
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { parseHeadText } from 'rubicon-kernel'
import type { HeadPlace } from '../../ports/tree.ts'

const SLOT_BYTES = 4096
const SLOTS = [0, 1] as const
const SPACE = 0x20

/** `report` hears once that it cannot be written; the store goes on, and its checkpoints are kept. */
export function openHeadFile(path: string, report: (line: string) => void): HeadPlace {
  let next: number | null = null
  let isTold = false
  const write = (head: string): void => {
    next ??= findOlderSlot(readSlots(path))
    const slot = Buffer.alloc(SLOT_BYTES, SPACE)
    slot.write(`${head}\n`)
    const file = openWritable(path)
    try {
      writeSync(file, slot, 0, SLOT_BYTES, next * SLOT_BYTES)
    } finally {
      closeSync(file)
    }
    next = 1 - next
  }
  return {
    place: path,
    read: () => readSlots(path).filter((head) => head !== ''),
    write(head) {
      try {
        write(head)
      } catch (error) {
        if (!isTold) report(`the head of the ledger cannot be kept in ${path}: ${String(error)}`)
        isTold = true
      }
    },
  }
}

/** Opened anew for each head: what was moved away or deleted meanwhile is not written to. */
function openWritable(path: string): number {
  const open = (): number => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    return open()
  } catch {
    // Mostly the folder is there; to make sure of it before would cost as much as the rest.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return open()
  }
}

/** The text of each place; empty where there is none that can be read. */
function readSlots(path: string): readonly string[] {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  return SLOTS.map((slot) => {
    const text = bytes.subarray(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES).toString('utf8')
    const head = text.slice(0, Math.max(0, text.indexOf('\n')))
    return parseHeadText(head) === undefined ? '' : head
  })
}

/** What is older is written over first. */
function findOlderSlot(slots: readonly string[]): number {
  const [first = 0, second = 0] = slots.map((head) => parseHeadText(head)?.body.size ?? -1)
  return first <= second ? 0 : 1
}
