/** Those of what stands in for a place that is never asked for, and of places that are never so near to the beginning. */
import type { Equivalent } from './equivalent.ts'
import { listEquivalents } from './list-equivalents.ts'

const IN_RANGE = 'every place that is asked for is in the list: there is nothing to stand in for'
const BEHIND =
  'a name stands behind the brace and the quote before it, and a text between two quotes'

export const EQUIVALENT_IN_RANGE: readonly Equivalent[] = [
  ...listEquivalents('verifier/src/reading/text-form.ts', IN_RANGE, [
    ['isFormOf', " ?? ''", ''],
    ['buildValue', ' ?? -1', ''],
    ['buildValue', " ?? ''", ''],
    ['buildValue', '1', '2', 'const holder = made[gapHolders[i] ?? -1]'],
    [
      'computeMemberPlaces',
      '0',
      '1',
      'shifts[i] = from + (gapEnds[i - 1] ?? 0) - (starts[i] ?? 0)',
    ],
    [
      'computeMemberPlaces',
      '0',
      '1',
      'found[i] = (places[i] ?? 0) + (shifts[placePieces[i] ?? 0] ?? 0)',
    ],
    ['findPieceIndex', ' ?? 0', ''],
  ]),
  ...listEquivalents('verifier/src/reading/member-texts.ts', IN_RANGE, [
    ['getTextWithout', ' ?? 0', ''],
    ['getTextWithout', '0', '1', 'end = places[at + 4] ?? 0'],
    ['isAt', ' ?? 0', ''],
    ['isAt', '0', '1', 'const start = places[at + 1] ?? 0'],
    [
      'isAt',
      '0',
      '1',
      'if (places[at] !== depth || (places[at + 2] ?? 0) - start !== name.length) return false',
    ],
    ['isInner', ' ?? OUTER', ''],
  ]),
  ...listEquivalents('verifier/src/reading/member-texts.ts', BEHIND, [
    ['getTextWithout', '0', '1', 'if (start < 0) start = (places[at + 1] ?? 0) - 1'],
  ]),
  ...listEquivalents('verifier/src/reading/read-entry.ts', 'what was cut from a line had a text', [
    ['readLine', " ?? ''", ''],
  ]),
  ...listEquivalents('verifier/src/reading/canonical-scan.ts', BEHIND, [
    ['findNextEscape', '<', '<=', 'this.escape = found < 0 ? this.text.length : found'],
    ['scanValue', '0', '1', 'return this.at > 0'],
    ['scanObject', '0', '1', 'if (place >= 0) this.places[place] = this.at'],
    [
      'scanObject',
      '0',
      '1',
      'if (before >= 0 && !this.isBefore(before, beforeEnd, name, end)) return false',
    ],
    ['scanObject', '<', '<=', 'if (end < 0 || text.charCodeAt(end + 1) !== COLON) return false'],
  ]),
  ...listEquivalents(
    'verifier/src/reading/canonical-scan.ts',
    'only that it is below nought says that there is none',
    [
      ['isCanonical', '1', '2', 'this.escape = -1'],
      ['scanObject', '1', '2', 'let before = -1'],
      ['scanObject', '1', '2', 'let beforeEnd = -1'],
      [
        'scanObject',
        '1',
        '2',
        'const place = depth <= REMEMBERED_DEPTH ? this.remember(depth, name, end) : -1',
      ],
    ],
  ),
  ...listEquivalents(
    'verifier/src/reading/canonical-scan.ts',
    'no character is both a backslash and a quote',
    [['scanObject', '<', '<=', 'if (this.findNextEscape(name) < end) return false']],
  ),
  ...listEquivalents(
    'verifier/src/reading/text-form.ts',
    'before the end of a gap stands a quote, or a digit of it: it is never at place 0',
    [
      ['isFormOf', '<', '<=', 'if (at < 0) return false'],
      ['isFormOf', '0', '1', 'if (at < 0) return false'],
    ],
  ),
]
