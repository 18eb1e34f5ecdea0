/** What a holder of the database could put where several processes write, before it has its place. */
import type { Patch } from './patch.ts'

export const SEALS_PATCHES: readonly Patch[] = [
  {
    name: 'unsealed-entries-are-placed',
    findings: ['14f'],
    edits: [
      {
        file: 'runtime/src/adapters/postgres/whole-batches.ts',
        function: 'collectSealGroups',
        before: 'if (seal === undefined)',
        after: 'if (seal === undefined) continue\n    if (seal.keyId === name)',
      },
      {
        file: 'runtime/src/adapters/postgres/whole-batches.ts',
        function: 'selectWholeBatches',
        before: '?? -1 }',
        after: '?? entry.authorityHead }',
      },
    ],
  },
  {
    name: 'any-seal-vouches',
    findings: ['14f'],
    edits: [
      {
        file: 'runtime/src/adapters/postgres/whole-batches.ts',
        function: 'isAsSealed',
        before: 'computeBatchAddress(ids, sha256) === body.entries',
        after: 'computeBatchAddress(ids, sha256).length === body.entries.length',
      },
    ],
  },
  {
    name: 'places-follow-what-the-database-says',
    findings: ['14f'],
    edits: [
      {
        file: 'runtime/src/adapters/postgres/trajectory-ends.ts',
        function: 'add',
        before: 'if (seq !== (end?.seq ?? -1) + 1 ||',
        after: 'if (seq < 0 &&',
      },
    ],
  },
  {
    name: 'law-that-an-entry-was-written-under-is-not-compared',
    findings: ['14f'],
    edits: [
      {
        file: 'runtime/src/adapters/postgres/trajectory-ends.ts',
        function: 'advanceEnds',
        before: 'if (entry.authority !== (this.#ends.get(AUTHORITY)?.seq ?? -1))',
        after: 'if (entry.authority < -1)',
      },
      {
        file: 'runtime/src/adapters/postgres/trajectory-ends.ts',
        function: 'advanceEnds',
        before: 'if (body.batch <= (this.#batches.get(keyId) ?? -1))',
        after: 'if (body.batch < 0)',
      },
    ],
  },
  {
    name: 'seal-that-was-put-back-counts',
    findings: ['14f'],
    edits: [
      {
        file: 'runtime/src/adapters/postgres/admit.ts',
        function: 'assertNew',
        before: 'if (earlier.length === 0) return',
        after: 'if (earlier.length >= 0) return',
      },
    ],
  },
  {
    name: 'own-batch-is-not-missed',
    findings: ['14f'],
    edits: [
      {
        file: 'runtime/src/adapters/postgres/own-batches.ts',
        function: 'hasWaiting',
        before: 'return due.some((name) => this.#waiting.has(name))',
        after: 'return due.some((name) => name === undefined)',
      },
    ],
  },
  {
    name: 'authority-is-what-the-database-says',
    findings: ['14g'],
    edits: [
      {
        file: 'runtime/src/engine/authority/vouched-manifest.ts',
        function: 'createVouchedManifest',
        before: 'if (store.lastPlaced === undefined || !isSigning())',
        after: 'if (store.lastPlaced === undefined || isSigning())',
      },
    ],
  },
  {
    name: 'erased-authority-is-taken-for-none',
    findings: ['14g'],
    edits: [
      {
        file: 'runtime/src/engine/authority/vouched-manifest.ts',
        function: 'readUntil',
        before: 'entry.payload === null ?',
        after: "entry.payload === '' ?",
      },
    ],
  },
]
