/** Mistakes that hostile providers, models and documents, and machines that sleep, would make use of. */
import type { Patch } from './patch.ts'

const ESCAPED = 'runtime/src/tools/escaped-secret.test.ts'
const SLEPT = 'runtime/src/tools/slept.test.ts'

export const HOSTILE_TOOLS_PATCHES: readonly Patch[] = [
  {
    name: 'header-of-another-method-sent',
    test: {
      file: 'runtime/src/tools/http/steering-headers.test.ts',
      title: 'a header that steers servers past what the operator allowed is not sent',
    },
    edits: [
      {
        file: 'runtime/src/tools/http/request-headers.ts',
        function: 'RESERVED_PREFIX',
        before: 'x-http-(method|host)',
        after: 'x-http-(host)',
      },
    ],
  },
  {
    name: 'secret-in-escapes-not-seen',
    test: {
      file: ESCAPED,
      title: 'a secret is removed in every escape in which servers quote it',
    },
    edits: [
      {
        file: 'runtime/src/adapters/secrets/decode-text.ts',
        function: 'decode',
        before: '(byte === AMPERSAND && this.#readEntity())',
        after: 'byte > 255',
      },
    ],
  },
  {
    name: 'refusal-with-its-secret-in-escapes',
    test: {
      file: ESCAPED,
      title: 'an answer that strict readers refuse does not tell its secret in escapes',
    },
    edits: [
      {
        file: 'runtime/src/adapters/secrets/secret-search.ts',
        function: 'createSecretSearch',
        before: 'return isHidden(replaced) ? mark : replaced',
        after: 'return replaced',
      },
    ],
  },
  {
    name: 'model-error-hidden-before-it-is-read',
    test: {
      file: 'runtime/src/adapters/models/escaped-key.test.ts',
      title: 'an error does not tell the key, however the provider escaped it',
    },
    edits: [
      {
        file: 'runtime/src/adapters/models/status-failure.ts',
        function: 'buildStatusFailure',
        before: 'answer.hideSecrets(findMessage(answer.said))',
        after: 'findMessage(answer.hideSecrets(answer.said))',
      },
      {
        file: 'runtime/src/adapters/secrets/secret-search.ts',
        function: 'createSecretSearch',
        before: 'return isHidden(replaced) ? mark : replaced',
        after: 'return replaced',
      },
    ],
  },
  {
    name: 'model-reply-with-the-key-in-escapes',
    test: {
      file: 'runtime/src/adapters/models/escaped-key.test.ts',
      title: 'a reply that holds the key in escapes is refused, wherever it stands',
    },
    edits: [
      {
        file: 'runtime/src/adapters/secrets/secret-search.ts',
        function: 'createSecretSearch',
        before: 'isIn: (text) => isPlain(text) || isHidden(text)',
        after: 'isIn: (text) => isPlain(text)',
      },
    ],
  },
  {
    name: 'metadata-of-a-cloud-called-private',
    test: {
      file: 'runtime/src/tools/http/metadata-addresses.test.ts',
      title: 'a metadata service of a cloud is no private address',
    },
    edits: [
      {
        file: 'runtime/src/tools/http/address-class.ts',
        function: 'IPV6',
        before: "['fd20:ce::', 32, 'forbidden'],",
        after: '',
      },
    ],
  },
  {
    name: 'request-leaves-after-the-deadline-of-the-engine',
    test: {
      file: SLEPT,
      title: 'a request that may take long does not leave after the deadline of the engine',
    },
    edits: [
      {
        file: 'runtime/src/tools/http/http-hands.ts',
        function: 'executeHttp',
        before: ' || io.signal.aborted',
        after: '',
      },
    ],
  },
  {
    name: 'program-started-after-the-deadline-of-the-engine',
    test: { file: SLEPT, title: 'a program is not started after the deadline of the engine' },
    edits: [
      {
        file: 'runtime/src/tools/command/command-hands.ts',
        function: 'executeInFolder',
        before: 'signal: io.signal',
        after: 'signal: null',
      },
    ],
  },
  {
    name: 'signal-waits-for-its-timer',
    test: {
      file: 'runtime/src/engine/effect/late-signal.test.ts',
      title: 'a signal that no timer has raised yet does not let a late send through',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/effect.ts',
        function: 'createEffectIo',
        before: 'if (isOver()) controller.abort()',
        after: 'if (isPast) controller.abort()',
      },
    ],
  },
  {
    name: 'usage-of-a-model-too-small-to-be-true',
    test: {
      file: 'runtime/src/engine/generate/impossible-usage.test.ts',
      title: 'usage that is too small to be true does not take the place of what was reserved',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/check-reply.ts',
        function: 'checkReply',
        before: ' && isPossible(parsed, request)',
        after: '',
      },
    ],
  },
  {
    name: 'search-of-a-model-for-anything',
    test: {
      file: 'sim/src/sdk/search-arguments.test.ts',
      title: 'over HTTP: a search for what is no text does not end the run of its agent',
    },
    edits: [
      {
        file: 'agents/src/model/run-agent.ts',
        function: '#search',
        before: "if (typeof query !== 'string' || query === '')",
        after: "if (query === '')",
      },
    ],
  },
  {
    name: 'draft-without-a-parameter',
    test: {
      file: 'runtime/src/tools/openapi/hostile-document.test.ts',
      title: 'a parameter that is called like a member of every object is not left out in silence',
    },
    edits: [
      {
        file: 'runtime/src/tools/openapi/read-parameters.ts',
        function: 'isParameterName',
        before: ' && !FORBIDDEN.has(name)',
        after: '',
      },
    ],
  },
  {
    name: 'draft-with-an-open-body',
    test: {
      file: 'runtime/src/tools/openapi/hostile-document.test.ts',
      title: 'a body that may hold what nobody named is not taken for decided',
    },
    edits: [
      {
        file: 'runtime/src/tools/openapi/open-schema.ts',
        function: 'isOpenObject',
        before: 'additionalProperties !== false',
        after: 'additionalProperties === true',
      },
    ],
  },
  {
    name: 'tool-lookups-not-shared',
    test: {
      file: 'runtime/src/tools/http/shared-lookups.test.ts',
      title: 'a name that nobody answers for is not asked for by each call at once',
    },
    edits: [
      {
        file: 'runtime/src/tools/http/resolve-host.ts',
        function: 'shareLookups',
        before: 'underWay.set(host, answer)',
        after: '',
      },
    ],
  },
  {
    name: 'tool-answer-cut-taken-for-whole',
    test: {
      file: 'runtime/src/tools/http/unbounded-answers.test.ts',
      title: 'an answer of which half looks like all of it is not taken for whole',
    },
    edits: [
      {
        file: 'runtime/src/tools/http/read-outcome.ts',
        function: 'readOutcome',
        before: 'if (!answer.isBounded &&',
        after: 'if (answer.status < 0 &&',
      },
    ],
  },
  {
    name: 'commit-of-a-manifest-taken-on-its-word',
    test: {
      file: 'runtime/src/evidence/law/judge-commit.test.ts',
      title: 'a change to World that does not follow from its manifest is found',
    },
    edits: [
      {
        file: 'runtime/src/evidence/law/judge-commit.ts',
        function: 'findCommitProblem',
        before: "if (settled_by === 'person' ||",
        after: 'if (delta !== undefined ||',
      },
    ],
  },
  {
    name: 'manifest-changed-after-it-was-hashed',
    test: {
      file: 'runtime/src/capabilities/changed-manifest.test.ts',
      title: 'a manifest that somebody changes afterwards is not what is carried out',
    },
    edits: [
      {
        file: 'runtime/src/capabilities/from-manifest.ts',
        function: 'toCapability',
        before: 'freezeAll(structuredClone(given))',
        after: 'given',
      },
    ],
  },
]
