/** Records of bytes, in pieces, so that a long log is never copied to grow. */

const PIECE = 1_048_576
/** Records begin at multiples of this: a place fits 32 bits up to 16 GiB. */
const ALIGNMENT = 4
/** Before each record stands how much room it has. */
const HEADER = 4

export type ByteLog = {
  /** The place of what was added, a number that fits 32 bits. */
  readonly append: (bytes: Uint8Array, length: number) => number
  /** In place of the record that stands there; false: it has not so much room. */
  readonly replace: (place: number, bytes: Uint8Array, length: number) => boolean
  /** The piece that holds the record at the place, and where in it that begins. */
  readonly at: (place: number) => { readonly piece: Uint8Array; readonly start: number }
}

export function createByteLog(): ByteLog {
  const pieces: Uint8Array[] = []
  /** For each unit of `PIECE` bytes the piece that it lies in: one larger than that takes several. */
  const firsts: number[] = []
  let room = 0
  let next = 0

  const grow = (length: number): void => {
    const units = Math.ceil(length / PIECE)
    const first = firsts.length
    const piece = new Uint8Array(units * PIECE)
    for (let unit = 0; unit < units; unit += 1) {
      pieces.push(piece)
      firsts.push(first)
    }
    next = first * PIECE
    room = piece.length
  }

  const locateRecord: ByteLog['at'] = (place) => {
    const byte = place * ALIGNMENT
    const unit = Math.floor(byte / PIECE)
    return { piece: pieces[unit] ?? NOTHING, start: byte - (firsts[unit] ?? 0) * PIECE + HEADER }
  }

  const write = (place: number, bytes: Uint8Array, length: number): void => {
    const { piece, start } = locateRecord(place)
    piece.set(bytes.subarray(0, length), start)
  }

  return {
    at: locateRecord,
    append(bytes, length) {
      const taken = Math.ceil((HEADER + length) / ALIGNMENT) * ALIGNMENT
      if (taken > room) grow(taken)
      const place = next / ALIGNMENT
      const { piece, start } = locateRecord(place)
      for (let i = 0; i < HEADER; i += 1) piece[start - HEADER + i] = (taken - HEADER) >>> (8 * i)
      write(place, bytes, length)
      next += taken
      room -= taken
      return place
    },
    replace(place, bytes, length) {
      const { piece, start } = locateRecord(place)
      let most = 0
      for (let i = 1; i <= HEADER; i += 1) most = most * 256 + (piece[start - i] ?? 0)
      if (length > most) return false
      write(place, bytes, length)
      return true
    },
  }
}

const NOTHING = new Uint8Array(0)
