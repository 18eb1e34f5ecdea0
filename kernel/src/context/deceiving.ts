/**
 * What can deceive whoever reads a text: what a model reads and a person does not see, and beside it
 * blanks in the guise of letters, separators of lines, selectors and the like. Nothing is decided by
 * it; screens and terminals show such a character as what it is, or not at all.
 */
import { isIn, type Range } from './code-point.ts'
import { INVISIBLE } from './sanitise.ts'

/** Beside what is invisible. */
const MISLEADING: readonly Range[] = [
  [0x034f, 0x034f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2028, 0x2029],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d159, 0x1d159],
  [0x1d173, 0x1d17a],
]

/** Line feed and tab are layout, and deceive nobody. */
export function isDeceiving(codePoint: number): boolean {
  return isIn(INVISIBLE, codePoint) || isIn(MISLEADING, codePoint)
}
