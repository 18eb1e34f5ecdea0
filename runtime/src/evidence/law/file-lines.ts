/** The lines of a file, read in pieces; a line can be read again by where it stands. */
import { closeSync, openSync, readSync } from 'node:fs'

const PIECE = 1 << 20
const LF = 0x0a

export type FileLine = { readonly text: string; readonly at: number; readonly length: number }

export class LineFile {
  readonly #file: number

  constructor(path: string) {
    this.#file = openSync(path, 'r')
  }

  *readLines(): Generator<FileLine> {
    let begun: Buffer = Buffer.alloc(0)
    let at = 0
    for (let piece = this.#readPiece(0, PIECE); piece.length > 0; ) {
      let bytes = begun.length === 0 ? piece : Buffer.concat([begun, piece])
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF)) {
        yield { text: bytes.toString('utf8', 0, end), at, length: end }
        at += end + 1
        bytes = bytes.subarray(end + 1)
      }
      begun = bytes
      piece = this.#readPiece(at + begun.length, PIECE)
    }
    if (begun.length > 0) yield { text: begun.toString('utf8'), at, length: begun.length }
  }

  read({ at, length }: Pick<FileLine, 'at' | 'length'>): string {
    return this.#readPiece(at, length).toString('utf8')
  }

  close(): void {
    closeSync(this.#file)
  }

  #readPiece(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.subarray(0, readSync(this.#file, bytes, 0, length, at))
  }
}
