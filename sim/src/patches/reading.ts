/** Short ways of reading and remembering that let something pass which the long way would not. */
import type { Patch } from './patch.ts'

const FORM = 'verifier/src/reading/text-form.ts'
const SCAN = 'verifier/src/reading/canonical-scan.ts'
const HEAD = 'verifier/src/reading/line-head.ts'

export const READING_PATCHES: readonly Patch[] = [
  {
    name: 'form-without-its-end',
    edits: [
      {
        file: FORM,
        function: 'isFormOf',
        before: 'return start === text.length',
        after: 'return start <= text.length',
      },
    ],
  },
  {
    name: 'form-of-another-text',
    edits: [
      {
        file: FORM,
        function: 'isFormOf',
        before: 'if (text.slice(at, start) !== piece) return false',
        after: 'if (text.length < start) return false',
      },
    ],
  },
  {
    name: 'form-takes-any-count',
    edits: [{ file: FORM, function: 'countEnd', before: ' || length > SAFE_DIGITS', after: '' }],
  },
  {
    name: 'form-takes-escapes',
    edits: [
      {
        file: FORM,
        function: 'isPlain',
        before: "return !text.includes('\\\\')",
        after: 'return true',
      },
    ],
  },
  {
    name: 'form-shares-what-can-be-changed',
    edits: [{ file: FORM, function: 'freeze', before: 'Object.freeze(value)', after: '' }],
  },
  {
    name: 'form-keeps-the-members-of-another-text',
    edits: [
      {
        file: FORM,
        function: 'computeMemberPlaces',
        before: 'shifts[i] = from + (gapEnds[i - 1] ?? 0) - (starts[i] ?? 0)',
        after: 'shifts[i] = from',
      },
    ],
  },
  {
    name: 'form-tells-of-a-text-that-is-gone',
    edits: [
      {
        file: FORM,
        function: 'computeMemberPlaces',
        before: 'this.round === round',
        after: 'this.round > 0',
      },
    ],
  },
  {
    name: 'walk-takes-names-in-any-order',
    edits: [
      {
        file: SCAN,
        function: 'scanObject',
        before: 'if (before >= 0 && !this.isBefore(before, beforeEnd, name, end)) return false',
        after: '',
      },
    ],
  },
  {
    name: 'walk-takes-any-number',
    edits: [
      {
        file: SCAN,
        function: 'scanNumber',
        before: 'String(Number(numeral)) === numeral',
        after: 'Number.isFinite(Number(numeral))',
      },
    ],
  },
  {
    name: 'walk-takes-any-escape',
    edits: [
      { file: SCAN, function: 'findEscapedEnd', before: 'else return -1', after: 'else at += 2' },
    ],
  },
  {
    name: 'head-at-any-time',
    edits: [
      {
        file: HEAD,
        function: 'parseLineHead',
        before: 'parseInstant(at) === undefined || ',
        after: '',
      },
    ],
  },
  {
    name: 'head-cites-where-nothing-is-sent',
    edits: [
      {
        file: HEAD,
        function: 'parseLineHead',
        before: 'if (isSend(kind) !== (cited !== undefined)) return undefined',
        after: '',
      },
    ],
  },
  {
    name: 'packed-away-is-forgotten',
    edits: [
      {
        file: 'verifier/src/compact-records/packed-map.ts',
        function: 'hold',
        before: 'if (!young.has(name)) packed.put(name, one)',
        after: 'if (young.has(name)) packed.put(name, one)',
      },
    ],
  },
  {
    name: 'packed-over-a-neighbour',
    edits: [
      {
        file: 'verifier/src/compact-records/byte-log.ts',
        function: 'replace',
        before: 'if (length > most) return false',
        after: '',
      },
    ],
  },
  {
    name: 'crowded-keys-are-forgotten',
    edits: [
      {
        file: 'verifier/src/compact-records/record-index.ts',
        function: 'put',
        before: 'crowded.set(key, place)',
        after: 'crowded.delete(key)',
      },
    ],
  },
  {
    name: 'keys-of-one-hash-are-one',
    edits: [
      {
        file: 'verifier/src/compact-records/record-index.ts',
        function: 'findSlot',
        before: 'hashes[slot] === hash && isKey(place - 1, key)',
        after: 'hashes[slot] === hash',
      },
    ],
  },
  {
    name: 'sent-is-packed-as-done',
    edits: [
      {
        file: 'verifier/src/compact-records/packings.ts',
        function: 'write',
        before: 'const isDone = intent.hashes === null && intent.sends !== null',
        after: 'const isDone = intent.sends !== null',
      },
    ],
  },
  {
    name: 'packed-writ-without-its-parent',
    edits: [
      {
        file: 'verifier/src/authority/writs.ts',
        function: 'write',
        before: 'body.parent ?? null',
        after: 'null',
      },
    ],
  },
  {
    name: 'parts-of-a-record-are-one',
    edits: [
      {
        file: 'verifier/src/compact-records/parts.ts',
        function: 'part',
        before: 'row[number] = value',
        after: 'row.fill(value)',
      },
    ],
  },
  {
    name: 'a-part-that-is-set-loses-the-others',
    edits: [
      {
        file: 'verifier/src/compact-records/parts.ts',
        function: 'part',
        before: 'rows.get(key) ?? packings.map(() => undefined)',
        after: 'packings.map((): unknown => undefined)',
      },
    ],
  },
  {
    name: 'every-trace-is-the-last',
    edits: [
      {
        file: 'verifier/src/report/misfits.ts',
        function: 'traceAddress',
        before: 'last?.text === text &&',
        after: 'last?.text.length === text.length &&',
      },
    ],
  },
  {
    name: 'remembered-though-refused',
    edits: [
      {
        file: 'kernel/src/contract/reader.ts',
        function: 'createRememberingReader',
        before: 'place.countRefused() === refused && isFixed(value)',
        after: 'isFixed(value)',
      },
    ],
  },
  {
    name: 'remembered-though-changed',
    edits: [
      {
        file: 'kernel/src/contract/reader.ts',
        function: 'isFixed',
        before: 'return Object.isFrozen(value) && Object.values(value).every(isFixed)',
        after: 'return Object.isFrozen(value)',
      },
    ],
  },
]
