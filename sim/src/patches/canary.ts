/** Mistakes by which a credential comes out: `sim canary` finds each. */
import type { Patch } from './patch.ts'

const CANARY_TEST = {
  file: 'sim/src/secrets/canary-proof.test.ts',
  title: 'no credential is seen again: in no log, answer, entry, export, trace, file or agent',
} as const

export const CANARY_PATCHES: readonly Patch[] = [
  {
    name: 'tool-logs-its-headers',
    test: CANARY_TEST,
    edits: [
      {
        file: 'runtime/src/tools/http/http-hands.ts',
        function: 'insertSecrets',
        before: 'checkHeaders(texts)',
        after: 'checkHeaders(texts)\n  process.stderr.write(JSON.stringify(texts))',
      },
    ],
  },
  {
    name: 'model-key-kept-in-an-error',
    test: CANARY_TEST,
    edits: [
      {
        file: 'runtime/src/adapters/models/http-provider.ts',
        function: 'addRaw',
        before: 'const isHeld = secrets.isIn(raw)',
        after: 'const isHeld = secrets === undefined',
      },
    ],
  },
  {
    name: 'model-key-in-a-coded-header-told',
    test: {
      file: 'runtime/src/adapters/models/providers.test.ts',
      title: 'a key is not told in the coding of a whole header, nor in capitals',
    },
    edits: [
      {
        file: 'runtime/src/adapters/secrets/secret-search.ts',
        function: 'listForms',
        before: '...listBase64Forms(bytes),',
        after: '',
      },
    ],
  },
  {
    name: 'secret-in-a-quotation-of-a-quotation-told',
    test: {
      file: 'runtime/src/tools/redaction.test.ts',
      title: 'a secret is removed in every coding in which servers quote it',
    },
    edits: [
      {
        file: 'runtime/src/adapters/secrets/decode-text.ts',
        function: '#readLiteral',
        before: 'return ESCAPED.has(next) && this.#write(next, 2, false)',
        after: 'return ESCAPED.has(next) && this.#at < 0',
      },
    ],
  },
  {
    name: 'password-of-the-store-told-again',
    test: {
      file: 'runtime/src/adapters/postgres/postgres-error.test.ts',
      title: 'does not hold the password, whoever says it again, nor does its cause',
    },
    edits: [
      {
        file: 'runtime/src/adapters/postgres/postgres-error.ts',
        function: 'removePassword',
        before: "createSecretSearch([password]).replaceIn(text, '[password]')",
        after: 'createSecretSearch([]).replaceIn(text, password.slice(0, 0))',
      },
    ],
  },
]
