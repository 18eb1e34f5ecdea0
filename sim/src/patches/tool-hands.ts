/** Mistakes of what carries out tools that are data: where they reach, and what they tell. */
import type { Patch } from './patch.ts'

const HTTP = 'runtime/src/tools/http'

export const TOOL_HANDS_PATCHES: readonly Patch[] = [
  {
    name: 'tool-connects-by-name',
    test: {
      file: 'runtime/src/tools/http/egress.test.ts',
      title:
        'the address that was looked at is the one that is connected to, and it is asked for once',
    },
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
    test: {
      file: 'runtime/src/tools/http/egress.test.ts',
      title: 'what no entry names is not reached: by scheme, host, port and method',
    },
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
    test: {
      file: 'runtime/src/tools/http/egress.test.ts',
      title: 'what no entry names is not reached: by scheme, host, port and method',
    },
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
    test: {
      file: 'runtime/src/tools/http/egress.test.ts',
      title: 'every address has its class, and no other entry allows it',
    },
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
    test: {
      file: 'runtime/src/tools/http/egress.test.ts',
      title: 'an address that stands in the URL itself is looked at like those of a name',
    },
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
    test: {
      file: 'runtime/src/tools/http/egress.test.ts',
      title: 'every address has its class, and no other entry allows it',
    },
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
    test: {
      file: 'runtime/src/tools/http/tls.test.ts',
      title: 'a certificate of another name, or of nobody, gets no byte of the request',
    },
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
    test: {
      file: 'runtime/src/tools/http/url-template.test.ts',
      title: 'another reader of URLs finds each parameter in its own segment, or nothing is sent',
    },
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
    test: {
      file: 'runtime/src/tools/http/url-template.test.ts',
      title: 'another reader of URLs finds each parameter in its own segment, or nothing is sent',
    },
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
    test: {
      file: 'runtime/src/tools/http/requests.test.ts',
      title: 'no header says where a request ends or goes, and none holds a line end',
    },
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
    test: {
      file: 'runtime/src/tools/http/requests.test.ts',
      title: 'no header says where a request ends or goes, and none holds a line end',
    },
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
    test: {
      file: 'runtime/src/tools/http/answers.test.ts',
      title: 'an answer without an end is cut at its bound',
    },
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
    test: {
      file: 'runtime/src/tools/http/answers.test.ts',
      title: 'a coding is refused, so that nothing small becomes large',
    },
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
    test: {
      file: 'runtime/src/tools/http/secrets.test.ts',
      title: 'a process that slept on the way sends nothing when it wakes up',
    },
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
    test: {
      file: 'runtime/src/tools/http/answers.test.ts',
      title: 'once it was sent, a lost answer is uncertain',
    },
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
    test: {
      file: 'runtime/src/tools/http/answers.test.ts',
      title: 'the status says what came of it, and nothing else does',
    },
    edits: [
      {
        file: `${HTTP}/read-outcome.ts`,
        function: 'readOutcome',
        before: 'if (!applied.includes(status))',
        after: 'if (!applied.includes(status) && status >= 400)',
      },
    ],
  },
]
