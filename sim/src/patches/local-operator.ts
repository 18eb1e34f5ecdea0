/** Mistakes about whoever asks the routes in their own process. */
import type { Patch } from './patch.ts'

export const LOCAL_OPERATOR_PATCHES: readonly Patch[] = [
  {
    name: 'any-token-is-the-local-operators',
    edits: [
      {
        file: 'server/src/cli/local-server.ts',
        function: 'createLocalServer',
        before: '(presented === token ?',
        after: "(presented !== '' ?",
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
        before: '|| isLocalOperator(principal)',
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
