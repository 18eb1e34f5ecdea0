/** Mistakes about whoever asks the routes in their own process. */
import type { Patch } from './patch.ts'

export const LOCAL_OPERATOR_PATCHES: readonly Patch[] = [
  {
    name: 'any-token-is-the-local-operators',
    test: {
      file: 'server/src/cli/local-server.test.ts',
      title: 'a token of nobody is refused here as anywhere',
    },
    edits: [
      {
        file: 'server/src/http/gate/authenticate.ts',
        function: 'authenticate',
        before: 'if (authorization === undefined && operator !== null)',
        after: 'if (operator !== null)',
      },
    ],
  },
  {
    name: 'any-name-on-the-operators-word',
    edits: [
      {
        file: 'server/src/cli/call.ts',
        function: 'getSpeakerName',
        before: 'if (problem === undefined) return by',
        after: 'return by',
      },
    ],
  },
  {
    name: 'local-operator-held-to-a-rate',
    test: {
      file: 'server/src/cli/local-server.test.ts',
      title: 'one caller is kept from nothing, and nothing is kept of its answers',
    },
    edits: [
      {
        file: 'server/src/cli/local-server.ts',
        function: 'createLocalServer',
        before: 'rate: NO_LIMIT,',
        after: '',
      },
    ],
  },
  {
    name: 'cut-ledger-taken-for-whole',
    test: {
      file: 'server/src/cli/as-reader.test.ts',
      title: 'a ledger that is cut off on its way is no ledger',
    },
    edits: [
      {
        file: 'server/src/cli/ledger-export.ts',
        function: 'downloadLedger',
        before: 'if (size === null || lines - 1 !== size)',
        after: 'if (size === null)',
      },
    ],
  },
  {
    name: 'watch-skips-what-came-while-it-showed',
    test: {
      file: 'server/src/cli/evidence-verbs.test.ts',
      title: 'flows, executions and the ledger are shown',
    },
    edits: [
      {
        file: 'server/src/cli/watch.ts',
        function: 'followUntilIdle',
        before: 'await follow(following, next, written)',
        after: 'await follow(following, written - 1, written)',
      },
    ],
  },
  {
    name: 'readers-open-keys',
    test: {
      file: 'server/src/cli/as-reader.test.ts',
      title: 'keys are read where no ledger opens, and where the key files are damaged',
    },
    edits: [
      {
        file: 'server/src/cli/as-reader.ts',
        function: 'toReadingOptions',
        before: 'signer: KEYLESS,',
        after: '',
      },
    ],
  },
  {
    name: 'requests-found-among-the-open-alone',
    edits: [
      {
        file: 'server/src/http/routes/ids.ts',
        function: 'findRequests',
        before: 'of ESCALATION_STATES)',
        after: "of ESCALATION_STATES.filter((state) => state === 'open'))",
      },
    ],
  },
  {
    name: 'verbs-in-a-shell-unconfirmed',
    edits: [
      {
        file: 'server/src/cli/confirm.ts',
        function: 'confirm',
        before: 'return connected.confirm(question)',
        after: 'return',
      },
    ],
  },
  {
    name: 'local-answers-kept',
    test: {
      file: 'server/src/cli/local-server.test.ts',
      title: 'one caller is kept from nothing, and nothing is kept of its answers',
    },
    edits: [
      {
        file: 'server/src/http/gate/read-request.ts',
        function: 'readRequest',
        before: "|| parts.local === 'process'",
        after: '',
      },
    ],
  },
  {
    name: 'local-operators-header-counts-on-the-port',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'on the port the header of a local operator is nothing',
    },
    edits: [
      {
        file: 'server/src/http/gate/authenticate.ts',
        function: 'authenticate',
        before: 'parts.local === undefined ? null : parseOperatorHeader(headers)',
        after: 'parseOperatorHeader(headers)',
      },
    ],
  },
  {
    name: 'server-of-another-store-asked',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'a server on another store of the same state directory is not asked',
    },
    edits: [
      {
        file: 'server/src/cli/running-server.ts',
        function: 'findRunningServer',
        before: 'one.store !== store ||',
        after: '',
      },
    ],
  },
  {
    name: 'server-that-hangs-passed-over',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'a server that takes the connection and says nothing is named, not passed over',
    },
    edits: [
      {
        file: 'server/src/cli/running-server.ts',
        function: 'findRunningServer',
        before: 'await assertAnswering(one, answerMs)',
        after: 'if (await assertAnswering(one, answerMs).catch(() => true)) continue',
      },
    ],
  },
  {
    name: 'runtime-keys-by-token',
    edits: [
      {
        file: 'server/src/http/routes/keys.ts',
        function: 'mayChange',
        before: 'return isLocalOperator(principal) ||',
        after: "return principal.kind === 'person' ||",
      },
    ],
  },
  {
    name: 'unnamed-operator-signs-as-somebody',
    edits: [
      {
        file: 'server/src/people/principal.ts',
        function: 'toSignedBy',
        before: " || principal.local === 'unnamed'",
        after: '',
      },
    ],
  },
  {
    name: 'unnamed-operator-becomes-a-person',
    edits: [
      {
        file: 'server/src/people/person-asking.ts',
        function: 'meet',
        before: "if (local === 'unnamed') return",
        after: '',
      },
    ],
  },
  {
    name: 'thrown-in-process-told-as-an-answer',
    edits: [
      {
        file: 'server/src/http/server.ts',
        function: 'createApp',
        before: 'parts.onThrown?.(error)',
        after: '',
      },
    ],
  },
  {
    name: 'verb-begins-a-ledger',
    edits: [
      {
        file: 'server/src/cli/open.ts',
        function: 'assertBegun',
        before: 'if (size > 0 || head !== null) return',
        after: 'if (size >= 0 || head !== null) return',
      },
    ],
  },
]
