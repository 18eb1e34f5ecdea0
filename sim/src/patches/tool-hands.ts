/** Mistakes of what carries out tools that are data: where they reach, and what they tell. */
import type { Patch } from './patch.ts'

const HTTP = 'runtime/src/tools/http'

export const TOOL_HANDS_PATCHES: readonly Patch[] = [
  {
    name: 'tool-connects-by-name',
    edits: [
      {
        file: `${HTTP}/open-connection.ts`,
        function: 'startConnection',
        before: 'connectPlain({ host: address, port })',
        after: 'connectPlain({ host, port })',
      },
    ],
  },
  {
    name: 'tool-reaches-what-is-not-listed',
    edits: [
      {
        file: `${HTTP}/allowance.ts`,
        function: 'findAllowance',
        before: 'entry.host === host &&',
        after: '',
      },
    ],
  },
  {
    name: 'tool-method-not-looked-at',
    edits: [
      {
        file: `${HTTP}/allowance.ts`,
        function: 'findAllowance',
        before: 'entry.methods.includes(method)',
        after: 'method !== undefined',
      },
    ],
  },
  {
    name: 'tool-looks-at-the-first-address-only',
    edits: [
      {
        file: `${HTTP}/resolve-host.ts`,
        function: 'resolveAllowed',
        before: 'found.find(',
        after: 'found.slice(0, 1).find(',
      },
    ],
  },
  {
    name: 'tool-trusts-an-address-in-the-url',
    edits: [
      {
        file: `${HTTP}/resolve-host.ts`,
        function: 'resolveAllowed',
        before: 'const other = found',
        after: 'const other = (literal === undefined ? found : [])',
      },
    ],
  },
  {
    name: 'tool-takes-mapped-addresses-for-public',
    edits: [
      {
        file: `${HTTP}/address-class.ts`,
        function: 'IPV6',
        before: "['::', 0, 'forbidden']",
        after: "['::', 0, 'public']",
      },
    ],
  },
  {
    name: 'tool-takes-any-certificate',
    edits: [
      {
        file: `${HTTP}/open-connection.ts`,
        function: 'startConnection',
        before: 'rejectUnauthorized: true',
        after: 'rejectUnauthorized: false',
      },
    ],
  },
  {
    name: 'tool-parameter-leaves-its-segment',
    edits: [
      {
        file: `${HTTP}/url-template.ts`,
        function: 'fillPath',
        before: 'encoded.push(part.kind ===',
        after: 'encoded.push(part.kind !==',
      },
    ],
  },
  {
    name: 'tool-segment-of-dots',
    edits: [
      {
        file: `${HTTP}/url-template.ts`,
        function: 'fillPath',
        before: "if (/^\\.+$/.test(plain.join('')))",
        after: 'if (plain.length < 0)',
      },
    ],
  },
  {
    name: 'tool-says-where-its-request-ends',
    edits: [
      {
        file: `${HTTP}/request-headers.ts`,
        function: 'RESERVED',
        before: "'transfer-encoding',",
        after: '',
      },
    ],
  },
  {
    name: 'tool-header-with-a-line-end',
    edits: [
      {
        file: `${HTTP}/request-headers.ts`,
        function: 'isHeaderValue',
        before: 'return VALUE.test(text)',
        after: "return text !== '\\0'",
      },
    ],
  },
  {
    name: 'tool-answer-without-a-bound',
    edits: [
      {
        file: `${HTTP}/exchange.ts`,
        function: 'readAnswer',
        before: 'if (length > most)',
        after: 'if (length < 0)',
      },
    ],
  },
  {
    name: 'tool-answer-in-a-coding',
    edits: [
      {
        file: `${HTTP}/exchange.ts`,
        function: 'readAnswer',
        before: "if (encoding !== 'identity')",
        after: "if (encoding === '')",
      },
    ],
  },
  {
    name: 'tool-sends-after-its-deadline',
    edits: [
      {
        file: `${HTTP}/http-hands.ts`,
        function: 'executeHttp',
        before: 'deadline.isOver() || ',
        after: '',
      },
    ],
  },
  {
    name: 'tool-lost-answer-called-not-applied',
    edits: [
      {
        file: `${HTTP}/http-hands.ts`,
        function: 'executeHttp',
        before: 'throw new Error(redaction',
        after: 'throw new NotApplied(redaction',
      },
    ],
  },
  {
    name: 'tool-unlisted-status-called-applied',
    edits: [
      {
        file: `${HTTP}/read-outcome.ts`,
        function: 'readOutcome',
        before: 'if (!applied.includes(status))',
        after: 'if (!applied.includes(status) && status >= 400)',
      },
    ],
  },
  {
    name: 'tool-result-with-its-secret',
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
