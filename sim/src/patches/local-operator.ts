/** Mistakes about whoever asks the routes in their own process. */
import type { Patch } from './patch.ts'

export const LOCAL_OPERATOR_PATCHES: readonly Patch[] = [
  {
    name: 'any-token-is-the-local-operators',
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
    name: 'replies-over-the-socket-not-kept',
    edits: [
      {
        file: 'server/src/http/gate/read-request.ts',
        function: 'readRequest',
        before: "parts.local === 'process'",
        after: 'parts.local !== undefined',
      },
    ],
  },
  {
    name: 'local-operators-header-counts-on-the-port',
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
    name: 'socket-needs-no-header',
    edits: [
      {
        file: 'server/src/people/local-operator.ts',
        function: 'parseOperatorHeader',
        before: 'if (said === UNNAMED)',
        after: 'if (said === UNNAMED || said === undefined)',
      },
    ],
  },
  {
    name: 'socket-open-to-others',
    edits: [
      {
        file: 'server/src/http/open-socket.ts',
        function: 'openPrivately',
        before: 'chmodSync(path, OWNER_ONLY)',
        after: 'chmodSync(path, 0o666)',
      },
    ],
  },
  {
    name: 'socket-in-a-folder-that-others-enter',
    edits: [
      {
        file: 'server/src/local-socket/private-folder.ts',
        function: 'isPrivateFolder',
        before: '(found.mode & OTHERS) === 0 &&',
        after: '',
      },
    ],
  },
  {
    name: 'socket-in-a-folder-of-another-user',
    edits: [
      {
        file: 'server/src/local-socket/private-folder.ts',
        function: 'isPrivateFolder',
        before: '=== 0 && owners.includes(found.uid)',
        after: '=== 0',
      },
    ],
  },
  {
    name: 'socket-folder-through-a-link',
    edits: [
      {
        file: 'server/src/local-socket/private-folder.ts',
        function: 'readStats',
        before: 'return lstatSync(path)',
        after: "return process.getBuiltinModule('node:fs').statSync(path)",
      },
    ],
  },
  {
    name: 'announced-socket-believed-wherever-it-is',
    edits: [
      {
        file: 'server/src/local-socket/announcement.ts',
        function: 'listAnnouncements',
        before: '.filter(({ socket }) => isPrivateFolder(dirname(socket), owners))',
        after: '',
      },
    ],
  },
  {
    name: 'socket-beside-sealed-keys',
    edits: [
      {
        file: 'server/src/http/open-socket.ts',
        function: 'openSocket',
        before: ' || !place.hasPlainKeys',
        after: '',
      },
    ],
  },
  {
    name: 'server-of-another-store-asked',
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
    name: 'announcement-outlives-its-server',
    edits: [
      {
        file: 'server/src/http/open-socket.ts',
        function: 'openPrivately',
        before: `rmSync(file, { force: true })
        await`,
        after: 'await',
      },
    ],
  },
  {
    name: 'announcement-of-another-machine-removed',
    edits: [
      {
        file: 'server/src/local-socket/announcement.ts',
        function: 'removeStale',
        before: 'host !== hostname() ||',
        after: '',
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
]
