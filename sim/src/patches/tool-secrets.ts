/** Mistakes about the secrets that tools are given. */
import type { Patch } from './patch.ts'

const HTTP = 'runtime/src/tools/http'

export const TOOL_SECRETS_PATCHES: readonly Patch[] = [
  {
    name: 'tool-result-with-its-secret',
    test: {
      file: 'runtime/src/tools/http/secrets.test.ts',
      title: 'a secret goes into its header, and what is answered loses it',
    },
    edits: [
      {
        file: `${HTTP}/read-outcome.ts`,
        function: 'readOutcome',
        before: 'const body = redaction.redactJson(said)',
        after: 'const body = said',
      },
    ],
  },
  {
    name: 'tool-refusal-with-its-secret',
    test: {
      file: 'runtime/src/tools/http/secrets.test.ts',
      title: 'a secret goes into its header, and what is answered loses it',
    },
    edits: [
      {
        file: `${HTTP}/read-outcome.ts`,
        function: 'readRefusal',
        before: 'JSON.stringify(redaction.redactJson(parsed.value))',
        after: 'JSON.stringify(parsed.value)',
      },
    ],
  },
  {
    name: 'tool-secret-in-base64-not-seen',
    test: {
      file: 'runtime/src/tools/redaction.test.ts',
      title: 'a secret is removed in every coding in which servers quote it',
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
    name: 'tool-uses-the-secret-of-another',
    test: {
      file: 'runtime/src/tools/config.test.ts',
      title:
        'what a manifest would do and the operator does not allow is found before it is loaded',
    },
    edits: [
      {
        file: 'runtime/src/tools/secret-grants.ts',
        function: 'findGrantProblem',
        before: 'if (!grant.tools.includes(tool))',
        after: 'if (grant.tools.length < 0)',
      },
    ],
  },
  {
    name: 'tool-sends-a-secret-to-any-host',
    test: {
      file: 'runtime/src/tools/config.test.ts',
      title:
        'what a manifest would do and the operator does not allow is found before it is loaded',
    },
    edits: [
      {
        file: 'runtime/src/tools/secret-grants.ts',
        function: 'findGrantProblem',
        before: 'if (!names.some(',
        after: 'if (names.length < 0 && !names.some(',
      },
    ],
  },
  {
    name: 'tool-sends-a-secret-in-clear-text',
    test: {
      file: 'runtime/src/tools/http/secrets.test.ts',
      title: 'a secret is used by its tool, at its host, and nowhere in clear text',
    },
    edits: [
      {
        file: 'runtime/src/tools/secret-grants.ts',
        function: 'findGrantProblem',
        before: '&& !place.isLocal',
        after: "&& place.host === ''",
      },
    ],
  },
]
