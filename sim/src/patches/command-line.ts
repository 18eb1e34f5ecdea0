/** Mistakes about what somebody typed. */
import type { Patch } from './patch.ts'

const STUBBORN = 'server/src/cli/dev/dev-stubborn.test.ts'
const RESET = 'server/src/cli/reset-others.test.ts'

export const COMMAND_LINE_PATCHES: readonly Patch[] = [
  {
    name: 'reset-deletes-keys-of-others',
    test: {
      file: RESET,
      title: 'keys that another ledger is signed with stay, also below a mark',
    },
    edits: [
      {
        file: 'server/src/cli/find-other-ledger.ts',
        function: 'listSigned',
        before: 'existsSync(folder) ? readdirSync(folder) : []',
        after: "existsSync(folder) ? readdirSync(folder).filter((name) => name === 'default') : []",
      },
    ],
  },
  {
    name: 'reset-deletes-ledger-of-others',
    test: {
      file: RESET,
      title: 'a ledger of another tenant in the same file stays, also below a mark',
    },
    edits: [
      {
        file: 'server/src/cli/find-other-ledger.ts',
        function: 'findOtherLedger',
        before: 'one !== tenant',
        after: "one === ''",
      },
    ],
  },
  {
    name: 'mark-outlives-its-store',
    test: {
      file: RESET,
      title: 'a store that another verb makes where a mark was left is none to throw away',
    },
    edits: [
      {
        file: 'server/src/cli/as-operator.ts',
        function: 'executeLocally',
        before: 'options.create === true',
        after: 'options.create === undefined',
      },
    ],
  },
  {
    name: 'mark-by-the-way-to-a-store',
    test: {
      file: RESET,
      title: 'a store that is served for good by another way to it is none to throw away',
    },
    edits: [
      {
        file: 'server/src/cli/disposable-store.ts',
        function: 'findRealPath',
        before: 'realpathSync(dirname(path))',
        after: 'dirname(path)',
      },
    ],
  },
  {
    name: 'reset-lets-others-in',
    test: { file: RESET, title: 'nobody opens a store of which a reset has deleted half' },
    edits: [
      {
        file: 'server/src/cli/disposable-store.ts',
        function: 'deleteDisposable',
        before: 'assertNobodyElses(place, mark)',
        after: 'held?.release()',
      },
    ],
  },
  {
    name: 'reset-leaves-the-search-index',
    test: {
      file: RESET,
      title: 'what a store said is not left in the index beside it, nor in what was typed about it',
    },
    edits: [
      {
        file: 'server/src/cli/disposable-store.ts',
        function: 'STATE_NAMES',
        before: 'search.db',
        after: 'none',
      },
    ],
  },
  {
    name: 'tool-check-could-not-run',
    test: {
      file: 'server/src/cli/tool-verbs.test.ts',
      title:
        'tool check ends as contract check does: 4 where something is wrong, 2 where nothing can be read',
    },
    edits: [
      {
        file: 'server/src/cli/tool-check.ts',
        function: 'checkTools',
        before: 'ok ? EXIT.done : EXIT.findings',
        after: 'ok ? EXIT.done : EXIT.couldNotRun',
      },
    ],
  },
  {
    name: 'copy-of-a-contract-deployed',
    test: {
      file: STUBBORN,
      title: 'of two files with one name the first counts, and it is said what stays in force',
    },
    edits: [
      {
        file: 'server/src/cli/dev/deploy-documents.ts',
        function: 'findOther',
        before: 'first === file',
        after: "first !== ''",
      },
    ],
  },
  {
    name: 'dev-ends-with-its-folder',
    test: {
      file: STUBBORN,
      title: 'a project that is moved away ends nothing, and is served again where it comes back',
    },
    edits: [
      {
        file: 'server/src/cli/dev/worker-process.ts',
        function: 'constructor',
        before: 'this.#child.pid === undefined',
        after: 'this.#child.pid === 0',
      },
    ],
  },
  {
    name: 'half-a-reset-stays',
    test: { file: STUBBORN, title: 'a reset that was interrupted is finished by the next start' },
    edits: [
      {
        file: 'server/src/cli/dev/dev-place.ts',
        function: 'prepareDevPlace',
        before: 'if (existsSync(path)) return',
        after: 'return',
      },
    ],
  },
  {
    name: 'dev-stays-without-its-store',
    test: { file: STUBBORN, title: 'a store that cannot be deleted is served again' },
    edits: [
      {
        file: 'server/src/cli/dev/dev-session.ts',
        function: 'reset',
        before: 'if (current !== null) await this.#serve(current.worker)',
        after: '',
      },
    ],
  },
  {
    name: 'trust-read-from-a-file-first',
    edits: [
      {
        file: 'server/src/cli/verify.ts',
        function: 'readTrust',
        before: 'if (typed.ok || VERIFIER_KEY.test(given)) return',
        after: 'if (typed.ok && !existsSync(given)) return',
      },
    ],
  },
  {
    name: 'writ-read-from-a-file-first',
    edits: [
      {
        file: 'server/src/cli/writ.ts',
        function: 'inspect',
        before: '!isAddress(given) && !isDfid(given) && ',
        after: '',
      },
    ],
  },
]
