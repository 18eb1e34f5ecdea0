/** Mistakes about payloads that are stored packed, and intents that are stored once. */
import type { Patch } from './patch.ts'

export const PACKING_PATCHES: readonly Patch[] = [
  {
    name: 'codes-in-any-spelling',
    test: {
      file: 'runtime/src/adapters/system/row-key.test.ts',
      title: 'a code has one spelling: others of the same bytes are none',
    },
    edits: [
      {
        file: 'runtime/src/adapters/system/row-key.ts',
        function: 'createRowMac',
        before: "[Buffer.from(computeDigest(text).toString('base64')), Buffer.from(code)]",
        after: "[computeDigest(text), Buffer.from(code, 'base64')]",
      },
    ],
  },
  {
    name: 'packed-text-is-not-compared',
    test: {
      file: 'runtime/src/adapters/unit/packed-text.test.ts',
      title: 'a text that UTF-8 cannot hold stays one',
    },
    edits: [
      {
        file: 'runtime/src/adapters/unit/packed-text.ts',
        function: 'packText',
        before: 'unpackText(packed) === text',
        after: 'unpackText(packed) !== text.slice(0, 0)',
      },
    ],
  },
  {
    name: 'packed-bytes-copy-from-anywhere',
    test: {
      file: 'runtime/src/adapters/unit/packed-text.test.ts',
      title: 'bytes that somebody changed are another text or none, and never more than a moment',
    },
    edits: [
      {
        file: 'runtime/src/adapters/unit/packed-bytes.ts',
        function: 'unpackBytes',
        before: 'if (from < 0 ||',
        after: 'if (from > MOST_BYTES ||',
      },
    ],
  },
  {
    name: 'payload-beside-a-packed-one-is-ignored',
    edits: [
      {
        file: 'runtime/src/adapters/unit/parse-row.ts',
        function: 'parsePayload',
        before: 'return payload === null ?',
        after: 'return payload !== undefined ?',
      },
    ],
  },
  {
    name: 'intent-beside-its-reference-is-ignored',
    edits: [
      {
        file: 'runtime/src/adapters/unit/parse-row.ts',
        function: 'parseIntentText',
        before: "if (intent !== '' ||",
        after: 'if (intent === null ||',
      },
    ],
  },
  {
    name: 'intent-is-read-from-a-fact',
    edits: [
      {
        file: 'runtime/src/adapters/unit/held-intent.ts',
        function: 'hasIntent',
        before: 'at !== -1 && payload.startsWith(intent, at + MEMBER.length)',
        after: 'at !== -1 && payload.includes(MEMBER + intent)',
      },
    ],
    test: {
      file: 'runtime/src/adapters/unit/held-intent.test.ts',
      title: 'a row does not refer to a payload in which another member of that name comes first',
    },
  },
  {
    name: 'erased-payload-stays-packed',
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/erase-flow.ts',
        function: 'ERASE_ENTRIES',
        before: 'payload = NULL, packed = NULL',
        after: 'payload = NULL',
      },
    ],
  },
  {
    name: 'moves-lose-where-they-began',
    test: {
      file: 'runtime/src/adapters/unit/flow-history.test.ts',
      title: 'a move that does not begin where the last one led says so',
    },
    edits: [
      {
        file: 'runtime/src/adapters/unit/flow-history.ts',
        function: 'encodeHistory',
        before: 'if (from !==',
        after: 'if (to ===',
      },
    ],
  },
]
